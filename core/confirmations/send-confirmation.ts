import { randomUUID } from 'node:crypto';
import type { DeviceStore, UserRecord } from '../devices/device-store.ts';
import { ConditionsFailed, type Write } from '../aws/dynamodb-client.ts';
import {
  askedDevices,
  openKeys,
  type CibaState,
  type Confirmation,
  type Notify,
  type WhichDevices,
} from './confirmation.ts';
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
import { userSuspended } from '../devices/user-suspended.ts';
import { freeSlot, openOn, recordSent, type PushLimit, type PushHistory } from '../devices/push-history.ts';
import { Refusal } from '../kernel/refusal.ts';
import { blockedBy, endDueConfirmations, limitOn, placesOnAll } from './free-places.ts';
import { confirmationSent } from './confirmation-events.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import type { RequestContext } from '../events/event.ts';
import { deliverPush, type PushDeps } from './deliver-push.ts';
import { isOfGroup } from './confirmation-store.ts';
import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type SendRequest = {
  userId: string;
  /** Absent: the user's only device, or `ofSeveral`. */
  deviceId?: string | undefined;
  /** Without a device id, for a user with several devices: `usual` is the one that last confirmed, else the oldest. Default: refuse. */
  ofSeveral?: 'refuse' | 'usual';
  /** `all`: every device with a free place, fixed now; the first answer decides. Default: `one`. */
  devices?: WhichDevices | undefined;
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
  /** Only a request by CIBA has it. Its nonce is not kept. */
  ciba?: CibaState;
  /** What a CIBA ping needs, sealed. Absent: the client polls. */
  ping?: string;
  /** The text of authorization details that were checked. */
  details?: string | undefined;
  /** Only a question of the help desk has it: the number in the message, which the caller reads out. */
  spokenNumber?: string;
};

export type SendDeps = ExpiryDeps & PushDeps & { devices: DeviceStore };
/** Who asks: a website with an access token, or an OAuth client that authenticated itself. */
export type Asker = Omit<WebsiteCaller, 'tokenExpiresAt' | 'recovery'>;
export type SendContext = RequestContext & {
  caller: Asker;
  /** Writes of the same transaction. */
  together?: readonly Write[];
};

/** The random parts of a confirmation. They stay the same over all retries of one request. */
type Draft = Pick<Confirmation, 'attemptId' | 'matchNumbers'>;

/** Without the devices that were removed since. */
type Recorded = { confirmation: Confirmation; devices: Device[] };

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
  const { confirmation, devices } = await retryOnConflict(
    async () => await recordOrRepeat(deps, request, draft, context),
  );
  const repeated = confirmation.attemptId !== draft.attemptId;
  if (repeated || devices.length === 0)
    return { confirmation: await expireIfDue(deps, confirmation, context), repeated };
  const { genericPushText } = context.caller.settings;
  return { confirmation: await deliverPush(deps, confirmation, devices, genericPushText), repeated };
}

function draftOf({ caller }: SendContext): Draft {
  const matchNumbers = drawMatchNumbers(caller.settings.numberMatching);
  return { attemptId: randomUUID(), ...(matchNumbers && { matchNumbers }) };
}

/** The checks, in their order: device, choice of the devices, nonce, limits, open confirmation. */
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
    if (existing && isSameRequest(existing, request, user, context)) return withDevices(existing, user);
    throw chosen;
  }
  const history = await endDueConfirmations(deps, user, context);
  const free = chosen.devices.filter((device) => !blockedBy(history, device, context));
  const refusal = limitRefusal(
    { userId: request.userId, history },
    free.length === 0 ? chosen.devices : [],
    context,
  );
  // A repeated request gets its confirmation even when the limits are exceeded by now.
  const existing = refusal && (await findExisting());
  if (refusal && !existing) throw refusal;
  const confirmation =
    existing ??
    (await record(
      deps,
      context,
      { ...user, history },
      newConfirmation(request, chosen, { ...draft, ...placesOf(history, free, request) }, context),
    ));
  if (isSameRequest(confirmation, request, user, context)) return withDevices(confirmation, user);
  throw nonceAlreadyUsed();
}

export const nonceAlreadyUsed = (): Refusal =>
  new Refusal('nonce-already-used', 'This nonce was used with another request. Create a new nonce.');

/** Who is asked, and which device the confirmation removes, if any. */
type ChosenDevices = { devices: Device[]; subject: Device | undefined };

const noSuchDevice = (): Refusal => new Refusal('device-not-found', 'The user has no such device.');

const findDevice = ({ devices }: UserRecord, id: string | undefined): Device | undefined =>
  devices.find(({ deviceId }) => deviceId === id);

function chooseDevices(user: UserRecord, request: SendRequest): ChosenDevices | Refusal {
  const subject = findDevice(user, request.subjectDeviceId);
  if (request.subjectDeviceId !== undefined && !subject) return noSuchDevice();
  if (request.devices === 'all')
    return user.devices.length === 0 ? noSuchDevice() : { devices: user.devices, subject };
  const device = chooseDevice(user, request);
  return device instanceof Refusal ? device : { devices: [device], subject };
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

const withDevices = (confirmation: Confirmation, { devices }: UserRecord): Recorded => ({
  confirmation,
  devices: devices.filter(({ deviceId }) => askedDevices(confirmation).includes(deviceId)),
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
  areSameDevices(existing, request, devices);

/** Only what the request says: names and settings may have changed since. */
const isSameContext = (existing: Context, request: SendRequest): boolean =>
  existing.purpose === request.purpose &&
  existing.device?.deviceId === request.subjectDeviceId &&
  isSameOrigin(existing.requestedFrom, request.requestedFrom);

/**
 * A request without a device means the user's only device, or all devices, at the time of the first request. Devices that
 * were added or removed since make no difference.
 */
function areSameDevices(
  existing: Confirmation,
  { deviceId, devices: which, ofSeveral }: SendRequest,
  devices: Device[],
): boolean {
  if (which === 'all' || existing.asked) return which === 'all' && existing.asked !== undefined;
  if (deviceId !== undefined) return deviceId === existing.deviceId;
  return (
    ofSeveral === 'usual' ||
    devices.every((one) => one.deviceId === existing.deviceId || one.enrolledAt >= existing.createdAt)
  );
}

/** @param full the devices that could be asked, if none has a free place */
function limitRefusal(
  { userId, history }: { userId: string; history: PushHistory },
  full: readonly Device[],
  context: SendContext,
): Refusal | undefined {
  const { now } = context;
  if (history.suspendedAt !== undefined) return userSuspended();
  const reached = limitOn(history, userId, context);
  if (reached) {
    return new Refusal('too-many-notifications', limitDetail(reached), {
      retryAfter: Math.ceil((reached.until - now) / 1000),
    });
  }
  const [device, ...others] = full;
  if (!device) return undefined;
  const freeAt = Math.min(...full.map((one) => blockedBy(history, one, context)?.expiresAt ?? now));
  const detail = others.length > 0 ? noPlaceDetail : pendingDetail(openOn(history, device.deviceId).length);
  return new Refusal('confirmation-pending', detail, { retryAfter: Math.ceil((freeAt - now) / 1000) });
}

const limitDetail = ({ limit, allowed }: PushLimit): string =>
  limit === 'withdrawnPerHour'
    ? `${allowed} questions to the user were withdrawn in the last hour. Wait before asking again.`
    : 'The user was asked too often. Wait before asking again.';

const noPlaceDetail = 'Other confirmations are open on all devices of the user.';

const pendingDetail = (count: number): string =>
  count === 1
    ? 'Another confirmation is open on this device.'
    : `${count} other confirmations are open on this device.`;

/** Who is asked, and where the question is in the history of the user. */
type Places = Pick<Confirmation, 'deviceId' | 'slot' | 'asked' | 'fetchedBy'>;

function placesOf(history: PushHistory, free: readonly Device[], { devices }: SendRequest): Places {
  if (devices === 'all') return placesOnAll(history, free);
  const [device] = free;
  if (!device) return {};
  const slot = freeSlot(history, device.deviceId);
  return { deviceId: device.deviceId, ...(slot !== undefined && { slot }) };
}

function notifyBy(callback: boolean, ping: boolean): Notify | undefined {
  if (callback && ping) return 'both';
  if (callback) return 'callback';
  return ping ? 'ping' : undefined;
}

/** What every question has that its client asks now. */
export const pendingNow = (
  { message, details, expiresIn }: Pick<SendRequest, 'message' | 'details' | 'expiresIn'>,
  { caller, now }: Pick<SendContext, 'caller' | 'now'>,
) => ({
  tenantId: caller.tenantId,
  clientId: caller.clientId,
  message,
  messageHash: messageHashOf(message),
  expiresIn,
  ...(details !== undefined && { details, detailsHash: sha256(details) }),
  ...(caller.settings.evidenceInEvents === 'on' && { evidenceInEvents: true as const }),
  status: 'pending' as const,
  // The usual result of a push. Only another result costs a second write.
  delivery: 'sent' as const,
  createdAt: now,
  expiresAt: now + expiresIn * 1000,
});

function newConfirmation(
  request: SendRequest,
  { subject }: ChosenDevices,
  draft: Draft & Places,
  { caller, now }: SendContext,
): Confirmation {
  const { message, nonce, expiresIn, purpose, requestedFrom, returnTo, ciba, ping, details, spokenNumber } =
    request;
  const notify = notifyBy(caller.callback === true, ping !== undefined);
  const { requester, settings } = caller;
  return {
    challengeId: challengeIdOf(caller.tenantId, nonce),
    userId: request.userId,
    ...(ciba ? { ciba } : { nonce }),
    ...(notify && { notify }),
    ...(ping !== undefined && { ping }),
    ...writeContext({
      requester,
      purpose,
      device: subject,
      userVerification: settings.userVerification,
      requestedFrom,
    }),
    ...(returnTo !== undefined && { returnTo }),
    ...(spokenNumber !== undefined && { spoken: { number: spokenNumber, tries: 0 } }),
    ...pendingNow({ message, details, expiresIn }, { caller, now }),
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
  const { challengeId, expiresAt, asked } = confirmation;
  const keys = openKeys(confirmation);
  const entry = { challengeId, expiresAt, ...(asked && { isShared: true as const }) };
  const history = recordSent(user.history, { ...entry, keys, now: context.now });
  try {
    await outbox.commit(
      [
        confirmations.create(confirmation),
        devices.saveHistory(confirmation, user, history),
        ...(context.together ?? []),
      ],
      [confirmationSent(confirmation)],
      context,
    );
    return confirmation;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const existing = error.refused.get(0);
    if (!existing) throw new ConflictError('the history changed', { cause: error });
    if (isOfGroup(existing)) throw nonceAlreadyUsed();
    return confirmations.parse(existing);
  }
}
