import { randomUUID } from 'node:crypto';
import { ConditionsFailed, type Write } from '../../aws/dynamodb-client.ts';
import type { Device } from '../../devices/device.ts';
import type { UserRecord } from '../../devices/device-store.ts';
import { recordSent } from '../../devices/push-history.ts';
import { ConflictError } from '../../kernel/conflict-error.ts';
import { messageHashOf, sha256 } from '../../kernel/identifiers.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { Refusal, type FieldFault } from '../../kernel/refusal.ts';
import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { askedDevices, openKeys, type Confirmation } from '../confirmation.ts';
import { confirmationEnded, confirmationSent } from '../confirmation-events.ts';
import { isSameOrigin, readContext, writeContext } from '../context.ts';
import { deliverPush } from '../deliver-push.ts';
import { blockedBy, endDueConfirmations, limitOn, placesOnAll } from '../free-places.ts';
import {
  nonceAlreadyUsed,
  pendingNow,
  type SendContext,
  type SendDeps,
  type SendRequest,
} from '../send-confirmation.ts';
import { expireGroupIfDue, findGroup } from './end-group.ts';
import { type Group, groupIdOf, type GroupWithVotes, voteIdOf } from './group.ts';
import { groupRequested } from './group-events.ts';
import type { GroupStore } from './group-store.ts';

export type GroupRequest = Pick<
  SendRequest,
  'nonce' | 'message' | 'details' | 'expiresIn' | 'requestedFrom'
> & {
  /** User ids, no two alike. */
  members: string[];
  required: number;
};

export type GroupRequestDeps = SendDeps & { groups: GroupStore };

/** A member with what decides whether it can be asked. */
type Member = { userId: string; user: UserRecord; free: readonly Device[]; fault?: string };

/** Members that are looked at, or pushed to, at the same time. */
const atOnce = 10;

/**
 * Asks the members of a group, each on all devices. One transaction records the group, its votes and their events, so there is no
 * group with a part of its votes; the pushes come after it.
 *
 * @throws {Refusal} `nonce-already-used`, `group-not-reachable`
 */
export async function requestGroup(
  deps: GroupRequestDeps,
  request: GroupRequest,
  context: SendContext,
): Promise<GroupWithVotes & { repeated: boolean }> {
  const attemptId = randomUUID();
  const { members, ...found } = await retryOnConflict(
    async () => await recordOrRepeat(deps, request, attemptId, context),
  );
  if (found.group.attemptId !== attemptId)
    return { ...found, group: await expireGroupIfDue(deps, found.group, context), repeated: true };
  const devices = new Map(members.map(({ userId, user }) => [userId, user.devices]));
  const votes = await mapConcurrent(found.votes, atOnce, async (vote) => {
    const asked = askedDevices(vote);
    const its = (devices.get(vote.userId) ?? []).filter(({ deviceId }) => asked.includes(deviceId));
    if (vote.status !== 'pending' || its.length === 0) return vote;
    return await deliverPush(deps, vote, its, context.caller.settings.genericPushText);
  });
  return { group: found.group, votes, repeated: false };
}

type Found = GroupWithVotes & { members: readonly Member[] };

async function recordOrRepeat(
  deps: GroupRequestDeps,
  request: GroupRequest,
  attemptId: string,
  context: SendContext,
): Promise<Found> {
  const { tenantId } = context.caller;
  const users = request.members.map((userId) => ({ tenantId, userId }));
  const [use, records] = await Promise.all([
    deps.groups.findByNonce(tenantId, request.nonce, context.now),
    mapConcurrent(users, atOnce, async (user) => await deps.devices.loadUser(user)),
  ]);
  if (use === 'confirmation') throw nonceAlreadyUsed();
  const existing = use && (await findGroup(deps, use.groupId, context.now));
  const members = request.members.flatMap((userId, index) => {
    const user = records[index];
    return user ? [{ userId, user }] : [];
  });
  if (existing) {
    if (!isSameRequest(existing, request, context)) throw nonceAlreadyUsed();
    return { ...existing, members: members.map((one) => ({ ...one, free: [] })) };
  }
  const looked = await mapConcurrent(members, atOnce, async (one) => await lookAt(deps, one, context));
  refuseUnreachable(looked, request);
  return await record(deps, request, looked, attemptId, context);
}

/** The id of the group says whether nonce, members and their number are the same. */
function isSameRequest(
  { group, votes }: GroupWithVotes,
  request: GroupRequest,
  { caller: { tenantId, clientId } }: SendContext,
): boolean {
  const { message, details, expiresIn, requestedFrom } = request;
  const [vote] = votes;
  return (
    group.clientId === clientId &&
    group.groupId === groupIdOf({ tenantId, ...request }) &&
    group.messageHash === messageHashOf(message) &&
    group.detailsHash === (details === undefined ? undefined : sha256(details)) &&
    group.expiresAt - group.createdAt === expiresIn * 1000 &&
    // The votes of erased users are missing.
    (!vote || isSameOrigin(readContext(vote.context).requestedFrom, requestedFrom))
  );
}

async function lookAt(
  deps: GroupRequestDeps,
  { userId, user }: Omit<Member, 'free'>,
  context: SendContext,
): Promise<Member> {
  const history = await endDueConfirmations(deps, user, context);
  const free = user.devices.filter((device) => !blockedBy(history, device, context));
  const fault = faultOf(user, free.length, limitOn(history, userId, context) !== undefined);
  return { userId, user: { ...user, history }, free, ...(fault !== undefined && { fault }) };
}

function faultOf({ devices, history }: UserRecord, free: number, isLimited: boolean): string | undefined {
  if (history.suspendedAt !== undefined) return 'is suspended';
  if (devices.length === 0) return 'has no device';
  if (isLimited) return 'was asked too often';
  return free === 0 ? 'has other confirmations open on all devices' : undefined;
}

function refuseUnreachable(members: readonly Member[], { required }: GroupRequest): void {
  const errors = members.flatMap(({ fault }, index): FieldFault[] =>
    fault === undefined ? [] : [{ pointer: `/members/${index}`, detail: `This user ${fault}` }],
  );
  const reachable = members.length - errors.length;
  if (reachable >= required) return;
  const detail = `Of the members, ${reachable} can be asked, and ${required} must confirm.`;
  throw new Refusal('group-not-reachable', detail, { errors });
}

async function record(
  deps: GroupRequestDeps,
  request: GroupRequest,
  members: readonly Member[],
  attemptId: string,
  context: SendContext,
): Promise<Found> {
  const group = newGroup(request, members, attemptId, context);
  const votes = members.map((member) => ({ member, vote: newVote(group, request, member, context) }));
  const sent = votes.filter(({ vote }) => vote.status === 'pending');
  const failed = votes.filter(({ vote }) => vote.status === 'failed');
  try {
    await deps.outbox.commit(
      [
        ...deps.groups.create(group),
        ...votes.map(({ vote }) => deps.confirmations.create(vote)),
        ...sent.map(({ vote, member }) => historyWrite(deps, vote, member, context)),
      ],
      [
        groupRequested(group),
        ...sent.map(({ vote }) => confirmationSent(vote)),
        ...failed.map(({ vote }) => confirmationEnded(vote, 'fail', { reason: vote.reason })),
      ],
      context,
    );
  } catch (error) {
    // Its nonce was used meanwhile, or a history changed: the next attempt sees which.
    if (error instanceof ConditionsFailed) throw new ConflictError('changed meanwhile', { cause: error });
    throw error;
  }
  return { group, votes: votes.map(({ vote }) => vote), members };
}

function historyWrite(
  { devices }: GroupRequestDeps,
  vote: Confirmation,
  { user }: Member,
  { now }: SendContext,
): Write {
  const { challengeId, expiresAt } = vote;
  const entry = { challengeId, expiresAt, isShared: true as const };
  return devices.saveHistory(vote, user, recordSent(user.history, { ...entry, keys: openKeys(vote), now }));
}

function newGroup(
  { nonce, message, details, expiresIn, required }: GroupRequest,
  members: readonly Member[],
  attemptId: string,
  { caller, now }: SendContext,
): Group {
  const { tenantId, clientId, callback } = caller;
  const userIds = members.map(({ userId }) => userId);
  return {
    groupId: groupIdOf({ tenantId, nonce, required, members: userIds }),
    ...{ tenantId, clientId, nonce, required },
    members: userIds,
    confirmedBy: [],
    lostBy: members.flatMap(({ userId, fault }) => (fault === undefined ? [] : [userId])),
    messageHash: messageHashOf(message),
    ...(details !== undefined && { detailsHash: sha256(details) }),
    status: 'pending',
    ...(callback && { notify: 'callback' as const }),
    createdAt: now,
    expiresAt: now + expiresIn * 1000,
    attemptId,
  };
}

function newVote(
  { groupId, required, members, attemptId }: Group,
  request: GroupRequest,
  { userId, user, free, fault }: Member,
  context: SendContext,
): Confirmation {
  const { caller, now } = context;
  const { requestedFrom } = request;
  const { userVerification } = caller.settings;
  const group = { id: groupId, required, of: members.length };
  return {
    challengeId: voteIdOf(groupId, userId),
    userId,
    groupId,
    ...(caller.settings.showVotes === 'on' && { showVotes: true as const }),
    ...writeContext({ requester: caller.requester, userVerification, requestedFrom, group }),
    ...pendingNow(request, context),
    ...(fault === undefined
      ? placesOnAll(user.history, free)
      : { status: 'failed', reason: 'not_reachable', delivery: 'unreachable', decidedAt: now }),
    attemptId,
  };
}
