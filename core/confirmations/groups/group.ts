import { confirmationView, type Confirmation, type Notify } from '../confirmation.ts';
import type { OwnPublicType } from '../../events/own-events.ts';
import { sha256 } from '../../kernel/identifiers.ts';
import { rfc3339 } from '../../kernel/time.ts';

/** How many members a group may have. */
export const groupSize = { least: 2, most: 20 } as const;

export type GroupStatus = 'pending' | 'approved' | 'denied' | 'expired' | 'cancelled';

/**
 * The state machine of a group, as that of a confirmation: each transition starts at `pending`, and the other states are final.
 * A test compares the rows with the table in docs/architecture.md.
 */
export const groupTransitions = {
  approve: { allowed: 'before-expiry', to: 'approved', event: 'ConfirmationGroupApprovedEvent' },
  deny: { allowed: 'before-expiry', to: 'denied', event: 'ConfirmationGroupDeniedEvent' },
  cancel: { allowed: 'before-expiry', to: 'cancelled', event: 'ConfirmationGroupCancelledEvent' },
  expire: { allowed: 'after-expiry', to: 'expired', event: 'ConfirmationGroupExpiredEvent' },
} as const satisfies Record<
  string,
  { allowed: 'before-expiry' | 'after-expiry'; to: GroupStatus; event: OwnPublicType }
>;

export type GroupTransition = keyof typeof groupTransitions;

/** The members whose votes have ended, by what their votes count as. Votes that expired count as neither. */
export type Tally = {
  confirmedBy: string[];
  /** They denied, failed, lost their devices, or could not be asked. */
  lostBy: string[];
};

/** Several people of whom some must confirm. Each member has a vote: a confirmation on all devices. Times in milliseconds since 1970. */
export type Group = Tally & {
  groupId: string;
  tenantId: string;
  clientId: string;
  nonce: string;
  /** User ids, in the order of the request. */
  members: string[];
  /** How many must confirm. */
  required: number;
  messageHash: string;
  detailsHash?: string;
  status: GroupStatus;
  /** How its client is notified of the end. Absent: the client polls. */
  notify?: Notify;
  createdAt: number;
  decidedAt?: number;
  expiresAt: number;
  /** Id of the request that created it; see {@link Confirmation}. */
  attemptId: string;
};

type Composition = Pick<Group, 'tenantId' | 'nonce' | 'required'> & { members: readonly string[] };

/** Anyone can compute it, so nobody can say later that others were asked, or that fewer had to confirm. */
export const groupIdOf = ({ tenantId, nonce, required, members }: Composition): string =>
  sha256([tenantId, nonce, required, ...members.toSorted()].join('\n'));

/** The challenge id of a member's vote. */
export const voteIdOf = (groupId: string, userId: string): string => sha256(`${groupId}\n${userId}`);

export const voteIdsOf = ({ groupId, members }: Pick<Group, 'groupId' | 'members'>): string[] =>
  members.map((userId) => voteIdOf(groupId, userId));

/** What the votes decide; undefined while both ends are possible. */
export function decisionOf(
  { confirmedBy, lostBy }: Tally,
  { required, members }: Pick<Group, 'required' | 'members'>,
): 'approve' | 'deny' | undefined {
  if (confirmedBy.length >= required) return 'approve';
  return lostBy.length > members.length - required ? 'deny' : undefined;
}

export const isGroupDue = ({ status, expiresAt }: Group, now: number): boolean =>
  status === 'pending' && now >= expiresAt;

/** A group with its votes, in any order. The vote of an erased user is missing. */
export type GroupWithVotes = { group: Group; votes: readonly Confirmation[] };

/** `Group` of the API: with its votes in the order of the members. Only the response to a POST adds `repeated`. */
export function groupView({ group, votes }: GroupWithVotes, now: number) {
  const byMember = new Map(votes.map((vote) => [vote.userId, vote]));
  return {
    nonce: group.nonce,
    groupId: group.groupId,
    status: isGroupDue(group, now) ? ('expired' as const) : group.status,
    required: group.required,
    votes: group.members.flatMap((userId) => {
      const vote = byMember.get(userId);
      return vote ? [confirmationView(vote, now)] : [];
    }),
    createdAt: rfc3339(group.createdAt),
    ...(group.decidedAt !== undefined && { decidedAt: rfc3339(group.decidedAt) }),
    expiresAt: rfc3339(group.expiresAt),
  };
}
