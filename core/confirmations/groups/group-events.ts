import type { StateChange } from '../../events/event.ts';
import { notifyCodes } from '../notify-codes.ts';
import { type Group, groupTransitions, type GroupTransition } from './group.ts';

const change = (group: Group, type: StateChange['type'], payload: object): StateChange => ({
  tenantId: group.tenantId,
  aggregateId: group.groupId,
  type,
  tag: 'CREDENTIAL_VERIFICATION',
  payload: { groupId: group.groupId, members: group.members, required: group.required, ...payload },
});

export const groupRequested = (group: Group): StateChange => ({
  ...change(group, 'ConfirmationGroupRequestedEvent', {
    messageHash: group.messageHash,
    ...(group.detailsHash !== undefined && { detailsHash: group.detailsHash }),
  }),
  expiresAt: group.expiresAt,
});

/** @param group as it is after its end */
export const groupEnded = (group: Group, transition: GroupTransition): StateChange => ({
  ...change(group, groupTransitions[transition].event, { confirmedBy: group.confirmedBy }),
  after: group.createdAt,
  ...(group.notify && { notify: notifyCodes[group.notify] }),
  ...(transition === 'expire' && { occurredAt: group.expiresAt }),
});
