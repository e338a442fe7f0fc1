import type { RequestContext } from '../../events/event.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import type { Confirmation } from '../confirmation.ts';
import { closeVotes, type CloseDeps, type Closing } from './close-votes.ts';
import { decisionOf, type Group, groupTransitions, type Tally } from './group.ts';
import { groupEnded } from './group-events.ts';
import type { GroupStore } from './group-store.ts';

export type CountDeps = CloseDeps & { groups: GroupStore };

const tallyWith = ({ confirmedBy, lostBy }: Group, userId: string, isYes: boolean): Tally =>
  isYes ? { confirmedBy: [...confirmedBy, userId], lostBy } : { confirmedBy, lostBy: [...lostBy, userId] };

/**
 * What the end of a vote means for its group: the parts of the transaction that ends the vote. One read; if the vote decides the group,
 * two more at once, and the votes that are still open are cancelled with it. So the group has one end, at the moment of the
 * deciding vote, and nobody votes after it.
 *
 * @returns undefined if the group is over: by the clock of another call it has expired
 * @throws {ConflictError} if the group was decided since the vote was read
 */
export async function countVote(
  deps: CountDeps,
  { groupId = '', userId }: Confirmation,
  isYes: boolean,
  context: RequestContext,
): Promise<Closing | undefined> {
  const { now } = context;
  const group = await deps.groups.find(groupId, now);
  if (!group || group.status === 'expired') return undefined;
  // Its end has ended this vote, too, after the vote was read.
  if (group.status !== 'pending') throw new ConflictError('the group was decided meanwhile');
  const tally = tallyWith(group, userId, isYes);
  const decision = decisionOf(tally, group);
  const counted = deps.groups.count(group, tally, now, decision);
  if (!decision) return { writes: [counted], changes: [], closed: [] };
  const others = group.members.filter((member) => member !== userId);
  const { writes, changes, closed } = await closeVotes(deps, group, others, {
    reason: 'group_decided',
    context,
  });
  const ended = { ...group, ...tally, status: groupTransitions[decision].to };
  return { writes: [counted, ...writes], changes: [...changes, groupEnded(ended, decision)], closed };
}
