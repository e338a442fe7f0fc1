import { ConditionsFailed } from '../../aws/dynamodb-client.ts';
import type { RequestContext } from '../../events/event.ts';
import type { Outbox } from '../../events/outbox-writer.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { statusAt } from '../confirmation.ts';
import type { ConfirmationStore } from '../confirmation-store.ts';
import { closeVotes, type CloseDeps } from './close-votes.ts';
import { type Group, type GroupWithVotes, isGroupDue, voteIdsOf } from './group.ts';
import { groupEnded } from './group-events.ts';
import type { GroupStore } from './group-store.ts';

export type GroupDeps = { groups: GroupStore; confirmations: ConfirmationStore; outbox: Outbox };
export type WithdrawGroupDeps = GroupDeps & CloseDeps;

const groupNotFound = (): Refusal => new Refusal('group-not-found', 'There is no group with this nonce.');

/**
 * Writes the expiry of a group before anyone sees it; see {@link expireIfDue}. Its votes expire by themselves: no answer to them
 * counts any more.
 *
 * @returns the current group: expired, or ended by a concurrent vote
 */
export async function expireGroupIfDue(
  { groups, outbox }: Pick<GroupDeps, 'groups' | 'outbox'>,
  group: Group,
  { now, origin: { traceId } }: RequestContext,
): Promise<Group> {
  if (!isGroupDue(group, now)) return group;
  return await retryOnConflict(async () => {
    try {
      await outbox.commit([groups.end(group, 'expire', now)], [groupEnded(group, 'expire')], {
        now,
        origin: { traceId },
      });
      return { ...group, status: 'expired' as const };
    } catch (error) {
      const current = error instanceof ConditionsFailed && (await groups.find(group.groupId, now));
      if (!current) throw error;
      return current;
    }
  });
}

/** The group with this id and its votes, as they are now. Two reads, one after the other. */
export async function findGroup(
  deps: { groups: Pick<GroupStore, 'find'>; confirmations: Pick<ConfirmationStore, 'findAll'> },
  groupId: string,
  now: number,
): Promise<GroupWithVotes | undefined> {
  const group = await deps.groups.find(groupId, now);
  return group && { group, votes: await deps.confirmations.findAll(voteIdsOf(group), now) };
}

/**
 * The group with this nonce and its votes. Its expiry is written if it is due.
 *
 * @throws {Refusal} `group-not-found`
 */
export async function lookAtGroup(
  deps: GroupDeps,
  { tenantId, nonce }: Pick<Group, 'tenantId' | 'nonce'>,
  context: RequestContext,
): Promise<GroupWithVotes> {
  const use = await deps.groups.findByNonce(tenantId, nonce, context.now);
  if (!use || use === 'confirmation') throw groupNotFound();
  const [found, votes] = await Promise.all([
    deps.groups.find(use.groupId, context.now),
    deps.confirmations.findAll(voteIdsOf(use), context.now),
  ]);
  if (!found) throw groupNotFound();
  const group = await expireGroupIfDue(deps, found, context);
  // The group may have ended between the two reads, and its votes with it.
  const isTorn =
    group.status !== 'pending' && votes.some((vote) => statusAt(vote, context.now) === 'pending');
  return {
    group,
    votes: isTorn ? await deps.confirmations.findAll(voteIdsOf(use), context.now) : votes,
  };
}

/**
 * Cancels a group and its open votes. What has ended stays as it is.
 *
 * @returns the group after that
 */
export async function cancelGroup(
  deps: WithdrawGroupDeps,
  groupId: string,
  context: RequestContext,
): Promise<Group | undefined> {
  return await retryOnConflict(async () => {
    const found = await deps.groups.find(groupId, context.now);
    const group = found && (await expireGroupIfDue(deps, found, context));
    if (group?.status !== 'pending') return group;
    const closing = await closeVotes(deps, group, group.members, { reason: 'withdrawn', context });
    const ended = { ...group, status: 'cancelled' as const };
    try {
      await deps.outbox.commit(
        [deps.groups.end(group, 'cancel', context.now), ...closing.writes],
        [...closing.changes, groupEnded(ended, 'cancel')],
        context,
      );
    } catch (error) {
      if (error instanceof ConditionsFailed) throw new ConflictError('decided meanwhile', { cause: error });
      throw error;
    }
    return ended;
  });
}

/**
 * Withdraws a group for its website. A repeated call succeeds again.
 *
 * @throws {Refusal} `group-not-found`, `already-decided`
 */
export async function withdrawGroup(
  deps: WithdrawGroupDeps,
  { tenantId, nonce }: Pick<Group, 'tenantId' | 'nonce'>,
  context: RequestContext,
): Promise<void> {
  const use = await deps.groups.findByNonce(tenantId, nonce, context.now);
  const group = use && use !== 'confirmation' && (await cancelGroup(deps, use.groupId, context));
  if (!group) throw groupNotFound();
  if (group.status !== 'cancelled')
    throw new Refusal('already-decided', `The group cannot be withdrawn: it is ${group.status}.`);
}
