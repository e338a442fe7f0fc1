import { digestOf } from './bytes.ts';
import { EvidenceError } from './evidence-error.ts';
import { isObject, type Members } from './jws.ts';
import { prove } from './prove.ts';
import type { Context, Evidence, Evident, KnownContext, Trust } from './types.ts';

/** What several users were asked, from the website's own records. */
export type AskedGroup = Pick<KnownContext, 'requestedFrom'> & {
  nonce: string;
  message: string;
  details?: readonly object[] | undefined;
  /** The ids of the users who were asked. */
  members: readonly string[];
  /** How many of them must confirm. */
  required: number;
  /** If absent, the tenant that the votes name. */
  tenantId?: string | undefined;
  /** Thumbprints of the keys of all members, as kept since their enrolments. If absent, the service's receipts are enough. */
  knownKeys?: readonly string[] | undefined;
};

/** The members of a group that the check reads. None of them is trusted. */
export type EvidentGroup = { status: string; votes: readonly Evident[] };

/** The evidence of each member who confirmed, by user id. */
export type GroupEvidence = ReadonlyMap<string, Evidence>;

/**
 * Verifies without the service that as many members of the group as must have confirmed what was asked, each on a device of
 * their own.
 *
 * @throws {EvidenceError} with the check that failed as its `code`: `status` if the group is not approved, `votes` if too few
 * members confirmed
 */
export async function verifyGroup(
  { status, votes }: EvidentGroup,
  { nonce, message, details, members, required, ...asked }: AskedGroup & Trust,
): Promise<GroupEvidence> {
  if (status !== 'approved') throw new EvidenceError('status');
  const confirmed = votes.filter((vote) => vote.status === 'confirmed');
  const tenantId = asked.tenantId ?? confirmed[0]?.tenantId;
  const groupId = await digestOf([tenantId, nonce, required, ...[...members].sort()].join('\n'));
  const proved = new Map<string, Evidence>();
  for (const vote of confirmed) {
    const { userId } = vote;
    if (!members.includes(userId)) throw new EvidenceError('votes');
    const { claims, context } = await prove(vote, {
      ...{ requestedFrom: null, purpose: null, ...asked, tenantId },
      claims: {
        challengeId: await digestOf(`${groupId}\n${userId}`),
        messageHash: await digestOf(message),
        detailsHash: details && (await digestOf(JSON.stringify(details))),
      },
    });
    checkGroup(context, { id: groupId, required, of: members.length });
    proved.set(userId, claims);
  }
  if (!Number.isInteger(required) || required < 1 || proved.size < required) throw new EvidenceError('votes');
  return proved;
}

/** The device showed how many of how many must confirm. */
function checkGroup({ group }: Context, expected: Record<string, unknown>): void {
  const isSame =
    isObject(group) && Object.entries(expected).every(([name, value]) => (group as Members)[name] === value);
  if (!isSame) throw new EvidenceError('group');
}
