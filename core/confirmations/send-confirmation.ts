import { randomUUID } from 'node:crypto';
import type { DeviceStore, UserRecord } from '../devices/device-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { CibaState, Confirmation, Notify } from './confirmation.ts';
import {
  isSameOrigin,
  readContext,
  writeContext,
  type Context,
  type Purpose,
  type RequestOrigin,
} from './context.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device } from '../devices/device.ts';
import { challengeIdOf, messageHashOf, sha256 } from '../kernel/identifiers.ts';
import { drawMatchNumbers } from './number-matching.ts';
import {
  blockingOn,
  closeExpired,
  expiredChallengeIds,
  freeSlot,
  openOn,
  reachedLimit,
  recordSent,
  type PushLimit,
  type PushHistory,
} from '../devices/push-history.ts';
import { mapConcurrent } from '../kernel/map-concurrent.ts';
import { Refusal } from '../kernel/refusal.ts';
import { confirmationSent } from './confirmation-events.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import type { RequestContext } from '../events/event.ts';
import { deliverPush, type PushDeps } from './deliver-push.ts';
import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type SendRequest = {
  userId: string;
  /** Absent: the user's only device, or `ofSeveral`. */
  deviceId?: string | undefined;
  /** Without a device id, for a user with several devices: `usual` is the one that last confirmed, else the oldest. Default: refuse. */
  ofSeveral?: 'refuse' | 'usual';
  message: string;
  nonce: string;
  /** Seconds. */
  expiresIn: number;
  purpose?: Purpose | undefined;
  /** The device that the confirmation removes. */
  subjectDeviceId?: string | undefined;
  requestedFrom?: RequestOrigin | undefined;
  /** Where the app leads the user back to, after the answer. */
  returnTo?: string | undefined;
  /** Of a request by CIBA. Its nonce is not kept. */
  ciba?: CibaState;
  /** What a CIBA ping needs, sealed. Absent: the client polls. */
  ping?: string;
  /** The text of authorization details that were checked. */
  details?: string | undefined;
};

export type SendDeps = ExpiryDeps & PushDeps & { devices: DeviceStore };
/** Who asks: a website with an access token, or an OAuth client that authenticated itself. */
export type Asker = Omit<WebsiteCaller, 'tokenExpiresAt' | 'recovery'>;
export type SendContext = RequestContext & { caller: Asker };

/** The random parts of a confirmation. They stay the same over all retries of one request. */
type Draft = Pick<Confirmation, 'attemptId' | 'matchNumbers'>;

/** The device is absent if it was removed since. */
type Recorded = { confirmation: Confirmation; device: Device | undefined };

/**
 * Asks a user for a confirmation: records it, then pushes it. The push comes last, so it never announces a confirmation
 * that does not exist. If the push fails, the app can still fetch the challenge.
 *
 * @throws {Refusal} in the order of the checks in {@link recordOrRepeat}
 */
export async function sendConfirmation(
  deps: SendDeps,
  request: SendRequest,
  context: SendContext,
): Promise<{ confirmation: Confirmation; repeated: boolean }> {
  const draft = draftOf(context);
  const { confirmation, device } = await retryOnConflict(
    async () => await recordOrRepeat(deps, request, draft, context),
  );
  const repeated = confirmation.attemptId !== draft.attemptId;
  if (repeated || !device) return { confirmation: await expireIfDue(deps, confirmation, context), repeated };
  const { genericPushText } = context.caller.settings;
  return { confirmation: await deliverPush(deps, confirmation, device, genericPushText), repeated };
}

function draftOf({ caller }: SendContext): Draft {
  const matchNumbers = drawMatchNumbers(caller.settings.numberMatching);
  return { attemptId: randomUUID(), ...(matchNumbers && { matchNumbers }) };
}

/** The checks, in their order: device, choice of the device, nonce, limits, open confirmation. */
async function recordOrRepeat(
  deps: SendDeps,
  request: SendRequest,
  draft: Draft,
  context: SendContext,
): Promise<Recorded> {
  const { tenantId } = context.caller;
  const user = await deps.devices.loadUser({ tenantId, userId: request.userId });
  const findExisting = async () =>
    await deps.confirmations.find(challengeIdOf(tenantId, request.nonce), context.now);

  const chosen = chooseDevices(user, request);
  if (chosen instanceof Refusal) {
    const existing = mayBeRepeated(user, request) ? await findExisting() : undefined;
    if (existing && isSameRequest(existing, request, user, context)) return withDevice(existing, user);
    throw chosen;
  }
  const { device } = chosen;
  const history = await endDueConfirmations(deps, user, context);
  const refusal = limitRefusal(history, device, context);
  // A repeated request gets its confirmation even when the limits are exceeded by now.
  const existing = refusal && (await findExisting());
  if (refusal && !existing) throw refusal;
  const confirmation =
    existing ??
    (await record(
      deps,
      context,
      { ...user, history },
      newConfirmation(request, chosen, { ...draft, ...slotOf(history, device) }, context),
    ));
  if (isSameRequest(confirmation, request, user, context)) return withDevice(confirmation, user);
  throw new Refusal('nonce-already-used', 'This nonce was used with another request. Create a new nonce.');
}

/** Who is asked, and which device the confirmation removes, if any. */
type ChosenDevices = { device: Device; subject: Device | undefined };

const noSuchDevice = (): Refusal => new Refusal('device-not-found', 'The user has no such device.');

const findDevice = ({ devices }: UserRecord, id: string | undefined): Device | undefined =>
  devices.find(({ deviceId }) => deviceId === id);

function chooseDevices(user: UserRecord, request: SendRequest): ChosenDevices | Refusal {
  const subject = findDevice(user, request.subjectDeviceId);
  if (request.subjectDeviceId !== undefined && !subject) return noSuchDevice();
  const device = chooseDevice(user, request);
  return device instanceof Refusal ? device : { device, subject };
}

/** Devices that were added or removed since the first request make no difference, but for the one that is asked by its id. */
const mayBeRepeated = (user: UserRecord, { deviceId }: SendRequest): boolean =>
  deviceId === undefined || findDevice(user, deviceId) !== undefined;

function chooseDevice(user: UserRecord, { deviceId, ofSeveral }: SendRequest): Device | Refusal {
  const devices = user.devices.filter((one) => deviceId === undefined || one.deviceId === deviceId);
  const [device, ...others] = devices;
  if (!device) return noSuchDevice();
  if (others.length === 0) return device;
  if (ofSeveral === 'usual') return usualDevice(devices, user) ?? device;
  return new Refusal('device-choice-required', 'The user has several devices: send to one of them.');
}

function usualDevice(devices: Device[], { history }: UserRecord): Device | undefined {
  const [oldest] = devices.toSorted((a, b) => a.enrolledAt - b.enrolledAt);
  return devices.find(({ deviceId }) => deviceId === history.lastConfirmedOn) ?? oldest;
}

const withDevice = (confirmation: Confirmation, { devices }: UserRecord): Recorded => ({
  confirmation,
  device: devices.find(({ deviceId }) => deviceId === confirmation.deviceId),
});

/** The nonce is the idempotency key: only the same request of the same client gets the existing confirmation. */
const isSameRequest = (
  existing: Confirmation,
  request: SendRequest,
  { devices }: UserRecord,
  { caller }: SendContext,
): boolean =>
  existing.clientId === caller.clientId &&
  isSameContext(readContext(existing.context), request) &&
  existing.userId === request.userId &&
  existing.message === request.message &&
  existing.expiresIn === request.expiresIn &&
  (existing.ciba === undefined) === (request.ciba === undefined) &&
  existing.details === request.details &&
  existing.returnTo === request.returnTo &&
  isSameDevice(existing, request, devices);

/** Only what the request says: names and settings may have changed since. */
const isSameContext = (existing: Context, request: SendRequest): boolean =>
  existing.purpose === request.purpose &&
  existing.device?.deviceId === request.subjectDeviceId &&
  isSameOrigin(existing.requestedFrom, request.requestedFrom);

/**
 * A request without a device means the user's only device at the time of the first request. Devices that were added or
 * removed since make no difference.
 */
const isSameDevice = (
  existing: Confirmation,
  { deviceId, ofSeveral }: SendRequest,
  devices: Device[],
): boolean =>
  deviceId === undefined
    ? ofSeveral === 'usual' ||
      devices.every((one) => one.deviceId === existing.deviceId || one.enrolledAt >= existing.createdAt)
    : deviceId === existing.deviceId;

/** A user's due confirmations that are ended at the same time. */
const dueAtOnce = 10;

/**
 * The history counts due confirmations as expired, so their expiry is written first: an answer may still arrive. If one was
 * answered or withdrawn meanwhile, this attempt fails by the history's version.
 *
 * @returns the history without them
 */
async function endDueConfirmations(
  deps: SendDeps,
  { history }: UserRecord,
  context: SendContext,
): Promise<PushHistory> {
  const due = expiredChallengeIds(history, context.now);
  await mapConcurrent(due, dueAtOnce, async (challengeId) => {
    const found = await deps.confirmations.find(challengeId, context.now);
    if (found) await expireIfDue(deps, found, context);
  });
  return closeExpired(history, context.now);
}

function limitRefusal(
  history: PushHistory,
  device: Device,
  { caller, now }: SendContext,
): Refusal | undefined {
  const reached = reachedLimit(history, caller.settings.pushLimits, now);
  if (reached) {
    return new Refusal('too-many-notifications', limitDetail(reached), {
      retryAfter: Math.ceil((reached.until - now) / 1000),
    });
  }
  const blocking = blockingOn(history, device.deviceId, caller.settings.openPerDevice);
  if (!blocking) return undefined;
  return new Refusal('confirmation-pending', pendingDetail(openOn(history, device.deviceId).length), {
    retryAfter: Math.ceil((blocking.expiresAt - now) / 1000),
  });
}

const limitDetail = ({ limit, allowed }: PushLimit): string =>
  limit === 'withdrawnPerHour'
    ? `${allowed} questions to the user were withdrawn in the last hour. Wait before asking again.`
    : 'The user was asked too often. Wait before asking again.';

const pendingDetail = (count: number): string =>
  count === 1
    ? 'Another confirmation is open on this device.'
    : `${count} other confirmations are open on this device.`;

function slotOf(history: PushHistory, { deviceId }: Device): Pick<Confirmation, 'slot'> {
  const slot = freeSlot(history, deviceId);
  return slot === undefined ? {} : { slot };
}

function notifyBy(callback: boolean, ping: boolean): Notify | undefined {
  if (callback && ping) return 'both';
  if (callback) return 'callback';
  return ping ? 'ping' : undefined;
}

function newConfirmation(
  request: SendRequest,
  { device, subject }: ChosenDevices,
  draft: Draft & Pick<Confirmation, 'slot'>,
  { caller, now }: SendContext,
): Confirmation {
  const { message, nonce, expiresIn, purpose, requestedFrom, returnTo, ciba, ping, details } = request;
  const notify = notifyBy(caller.callback === true, ping !== undefined);
  const { requester, settings } = caller;
  const { userVerification, evidenceInEvents } = settings;
  return {
    challengeId: challengeIdOf(caller.tenantId, nonce),
    tenantId: caller.tenantId,
    clientId: caller.clientId,
    userId: device.userId,
    deviceId: device.deviceId,
    ...(ciba ? { ciba } : { nonce }),
    ...(notify && { notify }),
    ...(ping !== undefined && { ping }),
    message,
    messageHash: messageHashOf(message),
    expiresIn,
    ...writeContext({ requester, purpose, device: subject, userVerification, requestedFrom }),
    ...(details !== undefined && { details, detailsHash: sha256(details) }),
    ...(returnTo !== undefined && { returnTo }),
    ...(evidenceInEvents === 'on' && { evidenceInEvents: true as const }),
    status: 'pending',
    // The usual result of a push. Only another result costs a second write.
    delivery: 'sent',
    createdAt: now,
    expiresAt: now + expiresIn * 1000,
    ...draft,
  };
}

/**
 * Writes the confirmation, the user's history and the event in one transaction.
 *
 * @returns the confirmation, or the existing one with the same nonce
 */
async function record(
  { devices, outbox, confirmations }: SendDeps,
  context: SendContext,
  user: UserRecord,
  confirmation: Confirmation,
): Promise<Confirmation> {
  const history = recordSent(user.history, { ...confirmation, now: context.now });
  try {
    await outbox.commit(
      [confirmations.create(confirmation), devices.saveHistory(confirmation, user, history)],
      [confirmationSent(confirmation)],
      context,
    );
    return confirmation;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const existing = error.refused.get(0);
    if (!existing) throw new ConflictError('the history changed', { cause: error });
    return confirmations.parse(existing);
  }
}
