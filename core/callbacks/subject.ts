import { type Confirmation, confirmationView } from '../confirmations/confirmation.ts';
import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { findGroup } from '../confirmations/groups/end-group.ts';
import { groupView, type GroupWithVotes } from '../confirmations/groups/group.ts';
import type { GroupStore } from '../confirmations/groups/group-store.ts';
import { rfc3339 } from '../kernel/time.ts';

/** What has ended, as far as a callback needs it: a confirmation, or a group. Times in milliseconds since 1970. */
export type Subject = Pick<Confirmation, 'tenantId' | 'clientId' | 'decidedAt' | 'expiresAt' | 'ping'> & {
  /** The body of a callback. */
  view: (now: number) => object;
};

/** When it ended, in milliseconds since 1970. */
export const endOf = ({ decidedAt, expiresAt }: Pick<Subject, 'decidedAt' | 'expiresAt'>): number =>
  decidedAt ?? expiresAt;

/** The nonce is missing: a reader of the receiver's logs could act as the website with it. */
export function confirmationSubject(confirmation: Confirmation): Subject {
  const view = (now: number) => {
    const data = { ...confirmationView(confirmation, now), nonce: undefined };
    return { type: `confirmation.${data.status}`, timestamp: rfc3339(endOf(confirmation)), data };
  };
  return { ...confirmation, view };
}

export function groupSubject(found: GroupWithVotes): Subject {
  const view = (now: number) => {
    const data = { ...groupView(found, now), nonce: undefined };
    return { type: `group.${data.status}`, timestamp: rfc3339(endOf(found.group)), data };
  };
  return { ...found.group, view };
}

/** One read; two more, one after the other, for a group. */
export async function findSubject(
  deps: { confirmations: Pick<ConfirmationStore, 'find' | 'findAll'>; groups: Pick<GroupStore, 'find'> },
  id: string,
  now: number,
): Promise<Subject | undefined> {
  const confirmation = await deps.confirmations.find(id, now);
  if (confirmation) return confirmationSubject(confirmation);
  const found = await findGroup(deps, id, now);
  return found && groupSubject(found);
}
