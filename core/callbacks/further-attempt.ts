import { redeemableUntil } from '../confirmations/confirmation.ts';
import { attempt, type AttemptDeps, type Callback, findCallback, waitingRefOf } from './attempt.ts';
import type { EndedMessage } from './callback-message.ts';
import { holdOf, nextAttemptAt } from './retry-schedule.ts';
import type { CallSlotStore } from './call-slot-store.ts';
import type { Progress } from './waiting-store.ts';

export type FurtherAttemptDeps = AttemptDeps & { slots: CallSlotStore };

/** `wait`: milliseconds until the message must be received again. */
export type FurtherOutcome =
  | { outcome: 'delivered' | 'dropped' | 'given-up'; reason?: string; ageMs?: number }
  | { outcome: 'held' | 'failed'; reason?: string; ageMs: number; waitMs: number };

/** Clocks of Lambda and SQS differ a little. */
const toleranceMs = 50;

/** Sends a callback that failed before, or whose receiver is not known to be quick. */
export async function furtherAttempt(
  deps: FurtherAttemptDeps,
  message: EndedMessage,
): Promise<FurtherOutcome> {
  const now = Date.now();
  const callback = await findCallback(deps, message, now);
  if (!callback) return { outcome: 'dropped' };
  const progress = await deps.waiting.find(waitingRefOf(callback));
  if (isUseless(callback, now)) return await giveUp(deps, callback);
  const waitMs = waitOf(callback, progress, now);
  if (waitMs > toleranceMs) return await hold(deps, callback, waitMs, progress);
  return await inTurn(deps, callback, progress);
}

/** A client that is pinged so late can fetch nothing. */
const isUseless = ({ message, subject }: Callback, now: number): boolean =>
  message.kind === 'ping' && now >= redeemableUntil(subject);

/** Milliseconds until the callback may be sent. */
function waitOf(
  { receiver, isSuspended, ageMs }: Callback,
  progress: Progress | undefined,
  now: number,
): number {
  if (receiver.state === 'stopped' || isSuspended) return holdOf(ageMs);
  return Math.max(progress?.nextAt ?? 0, receiver.pausedUntil ?? 0) - now;
}

async function hold(
  { waiting }: FurtherAttemptDeps,
  callback: Callback,
  waitMs: number,
  progress: Progress | undefined,
): Promise<FurtherOutcome> {
  if (!progress) await waiting.note(waitingRefOf(callback), Date.now());
  return { outcome: 'held', ageMs: callback.ageMs, waitMs };
}

/** A receiver that is not quick gets only a part of what all receivers share. */
async function inTurn(
  deps: FurtherAttemptDeps,
  callback: Callback,
  progress: Progress | undefined,
): Promise<FurtherOutcome> {
  const { receiver, ageMs } = callback;
  if (receiver.fast) return await send(deps, callback, progress);
  const slot = await deps.slots.take(receiver, Date.now());
  if (!slot) return await hold(deps, callback, holdOf(ageMs), progress);
  try {
    return await send(deps, callback, progress);
  } finally {
    await deps.slots.release(slot);
  }
}

async function send(
  deps: FurtherAttemptDeps,
  callback: Callback,
  progress: Progress | undefined,
): Promise<FurtherOutcome> {
  const { ageMs } = callback;
  const result = await attempt(deps, callback);
  const isOver = result === 'unwanted' || result.succeeded;
  if (isOver && progress) await deps.waiting.remove(waitingRefOf(callback));
  if (result === 'unwanted') return { outcome: 'dropped' };
  const { reason } = result;
  if (result.succeeded) return { outcome: 'delivered', reason, ageMs };
  const attempts = (progress?.attempts ?? 0) + 1;
  const now = Date.now();
  const nextAt = nextAttemptAt(attempts, result.demanded, now);
  if (nextAt === undefined) return await giveUp(deps, callback, reason);
  await deps.waiting.save(waitingRefOf(callback), { attempts, nextAt }, now);
  return { outcome: 'failed', reason, ageMs, waitMs: nextAt - now };
}

async function giveUp(
  deps: FurtherAttemptDeps,
  callback: Callback,
  reason?: string,
): Promise<FurtherOutcome> {
  const { message, ageMs } = callback;
  await deps.waiting.remove(waitingRefOf(callback));
  if (message.kind === 'ping') await deps.confirmations.forgetPing(message.challengeId);
  return { outcome: 'given-up', ageMs, ...(reason !== undefined && { reason }) };
}
