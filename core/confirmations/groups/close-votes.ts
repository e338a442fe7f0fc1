import type { Write } from '../../aws/dynamodb-client.ts';
import type { DeviceStore } from '../../devices/device-store.ts';
import { forgetChallenges, recordWithdrawal, type PushHistory } from '../../devices/push-history.ts';
import type { RequestContext, StateChange } from '../../events/event.ts';
import { confirmationEnded } from '../confirmation-events.ts';
import type { ConfirmationStore } from '../confirmation-store.ts';
import { isExpiryDue, type Confirmation } from '../confirmation.ts';
import { voteIdOf, type Group } from './group.ts';

export type CloseDeps = { confirmations: ConfirmationStore; devices: DeviceStore };

/** The parts of a transaction that ends votes, and those votes. */
export type Closing = { writes: Write[]; changes: StateChange[]; closed: Confirmation[] };

/** Nobody answered these votes, so they count as unsuccessful for nobody. Those that were withdrawn count as such. */
const historyAfter = (
  history: PushHistory,
  { challengeId, createdAt }: Confirmation,
  reason: 'group_decided' | 'withdrawn',
  now: number,
): PushHistory => {
  const closed = forgetChallenges(history, new Set([challengeId]));
  return reason === 'withdrawn' ? recordWithdrawal(closed, { sentAt: createdAt, at: now }) : closed;
};

/**
 * Cancels the votes of these members that are open. Two reads at once. All of it fits a transaction: each of at most 20 members
 * needs three writes, and 100 are allowed.
 */
export async function closeVotes(
  { confirmations, devices }: CloseDeps,
  { groupId, tenantId }: Group,
  members: readonly string[],
  { reason, context: { now } }: { reason: 'group_decided' | 'withdrawn'; context: RequestContext },
): Promise<Closing> {
  const users = members.map((userId) => ({ tenantId, userId }));
  const [votes, histories] = await Promise.all([
    confirmations.findAll(
      members.map((userId) => voteIdOf(groupId, userId)),
      now,
    ),
    devices.findHistories(users),
  ]);
  const closed = votes.filter((vote) => vote.status === 'pending' && !isExpiryDue(vote, now));
  const decision = { decidedAt: now, reason } as const;
  return {
    closed,
    writes: closed.flatMap((vote) => {
      const read = histories.get(vote.userId);
      return [
        confirmations.transition(vote.challengeId, 'cancel', now, decision),
        // The user was erased.
        ...(read ? [devices.saveHistory(vote, read, historyAfter(read.history, vote, reason, now))] : []),
      ];
    }),
    changes: closed.map((vote) => confirmationEnded(vote, 'cancel', { reason })),
  };
}
