import { randomUUID } from 'node:crypto';
import type { DeviceStore, UserRecord } from '../devices/device-store.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { Confirmation, Purpose } from './confirmation.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { Device } from '../devices/device.ts';
import { challengeIdOf, messageHashOf } from '../kernel/identifiers.ts';
import { drawMatchNumbers } from './number-matching.ts';
import {
  nextPushAt,
  expiredChallengeIds,
  recordSent,
  closeExpired,
  type PushHistory,
} from '../devices/push-history.ts';
import { Refusal } from '../kernel/refusal.ts';
import { confirmationSent } from './confirmation-events.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import type { RequestContext } from '../events/event.ts';
import { deliverPush, type PushDeps } from './deliver-push.ts';
import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type SendRequest = {
  userId: string;
  /** Absent: the user's only device. */
  deviceId?: string;
  message: string;
  nonce: string;
  /** Seconds. */
  expiresIn: number;
  purpose?: Purpose | undefined;
};

export type SendDeps = ExpiryDeps & PushDeps & { devices: DeviceStore };
export type SendContext = RequestContext & { caller: WebsiteCaller };

/** The confirmation, and its device unless that is gone. */
type Recorded = { confirmation: Confirmation; device: Device | undefined };

function chooseDevice(devices: Device[], deviceId: string | undefined): Device | Refusal {
  const [device, ...others] = devices.filter((one) => deviceId === undefined || one.deviceId === deviceId);
  if (!device) return new Refusal('device-not-found', 'The user has no such device.');
  if (others.length === 0) return device;
  return new Refusal('device-choice-required', 'The user has several devices: send to one of them.');
}

/** Drawn once for a call, so that what it wrote is known again however often it has to start anew. */
type Draft = Pick<Confirmation, 'attemptId' | 'matchNumbers'>;

function draftOf({ caller }: SendContext): Draft {
  const matchNumbers = drawMatchNumbers(caller.settings.numberMatching);
  return { attemptId: randomUUID(), ...(matchNumbers && { matchNumbers }) };
}

function newConfirmation(
  request: SendRequest,
  device: Device,
  draft: Draft,
  { caller, now }: SendContext,
): Confirmation {
  const { message, nonce, expiresIn, purpose } = request;
  return {
    challengeId: challengeIdOf(caller.tenantId, nonce),
    tenantId: caller.tenantId,
    clientId: caller.clientId,
    userId: device.userId,
    deviceId: device.deviceId,
    nonce,
    message,
    messageHash: messageHashOf(message),
    expiresIn,
    ...(purpose && { purpose }),
    status: 'pending',
    // What SNS nearly always answers; written again only where it answers something else.
    delivery: 'sent',
    createdAt: now,
    expiresAt: now + expiresIn * 1000,
    ...draft,
  };
}

/**
 * A request that names no device means the one that was the user's only one when it was first sent: devices that the user
 * got since, or lost, make no difference.
 */
const isSameDevice = (existing: Confirmation, { deviceId }: SendRequest, devices: Device[]): boolean =>
  deviceId === undefined
    ? devices.every((one) => one.deviceId === existing.deviceId || one.enrolledAt >= existing.createdAt)
    : deviceId === existing.deviceId;

/** The nonce is the idempotency key: with the same request the same confirmation, with any other none. */
const isSameRequest = (existing: Confirmation, request: SendRequest, devices: Device[]): boolean =>
  existing.userId === request.userId &&
  existing.message === request.message &&
  existing.expiresIn === request.expiresIn &&
  existing.purpose === request.purpose &&
  isSameDevice(existing, request, devices);

function limitRefusal(
  history: PushHistory,
  device: Device,
  { caller, now }: SendContext,
): Refusal | undefined {
  const next = nextPushAt(history, caller.settings.pushLimits);
  if (next > now) {
    return new Refusal('too-many-notifications', 'The user was asked too often. Wait before asking again.', {
      retryAfter: Math.ceil((next - now) / 1000),
    });
  }
  const open = history.open[device.deviceId];
  if (!open) return undefined;
  return new Refusal('confirmation-pending', 'Another confirmation is open on this device.', {
    retryAfter: Math.ceil((open.expiresAt - now) / 1000),
  });
}

/** Writes the confirmation, the user's history and the event, all or none. */
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
    const taken = error.refused.get(0);
    if (!taken) throw new ConflictError('the history changed', { cause: error });
    return confirmations.parse(taken);
  }
}

/** The history counts what is over as expired, so it must be: an answer may still be on its way to the table. */
async function expireDueConfirmations(
  deps: SendDeps,
  { history }: UserRecord,
  context: SendContext,
): Promise<void> {
  for (const challengeId of expiredChallengeIds(history, context.now)) {
    const found = await deps.confirmations.find(challengeId, context.now);
    const confirmation = found && (await expireIfDue(deps, found, context));
    if (confirmation && confirmation.status !== 'expired') throw new ConflictError('answered meanwhile');
  }
}

async function recordOrRepeat(
  deps: SendDeps,
  request: SendRequest,
  draft: Draft,
  context: SendContext,
): Promise<Recorded> {
  const { tenantId } = context.caller;
  const user = await deps.devices.loadUser({ tenantId, userId: request.userId });
  const { devices } = user;
  const find = async () => await deps.confirmations.find(challengeIdOf(tenantId, request.nonce), context.now);
  const recorded = (confirmation: Confirmation): Recorded => {
    const device = devices.find(({ deviceId }) => deviceId === confirmation.deviceId);
    return { confirmation, device };
  };
  const outcome = (confirmation: Confirmation): Recorded => {
    if (isSameRequest(confirmation, request, devices)) return recorded(confirmation);
    throw new Refusal('nonce-already-used', 'The nonce was used with another request: make a new one.');
  };

  const choice = chooseDevice(devices, request.deviceId);
  if (choice instanceof Refusal) {
    const existing = request.deviceId === undefined ? await find() : undefined;
    if (existing && isSameRequest(existing, request, devices)) return recorded(existing);
    throw choice;
  }
  await expireDueConfirmations(deps, user, context);
  const refusal = limitRefusal(closeExpired(user.history, context.now), choice, context);
  if (refusal) {
    // A repeated request is answered whatever the limits say (contract part 1, order of checks).
    const existing = await find();
    if (existing) return outcome(existing);
    throw refusal;
  }
  return outcome(await record(deps, context, user, newConfirmation(request, choice, draft, context)));
}

/**
 * Asks a user for a confirmation: records it, then pushes. The push comes last, so that it never tells of a
 * confirmation that does not exist; should it fail, the app can still fetch the challenge.
 *
 * @throws {Refusal} in the order of contract part 1
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
