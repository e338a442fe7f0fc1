import { redeemableUntil } from '../confirmations/confirmation.ts';
import { attempt, type AttemptDeps, type Callback, findCallback, waitingRefOf } from './attempt.ts';
import type { EndedMessage } from './callback-message.ts';
import { holdOf, nextAttemptAt } from './retry-schedule.ts';
import type { TurnStore } from './turn-store.ts';
import type { Progress } from './waiting-store.ts';

export type FurtherAttemptDeps = AttemptDeps & { turns: TurnStore };

/** `wait`: milliseconds until the message must be received again. */
export type FurtherOutcome =
  | { outcome: 'delivered' | 'dropped' | 'given-up'; reason?: string; age?: number }
  | { outcome: 'held' | 'failed'; reason?: string; age: number; wait: number };

/** Clocks of Lambda and SQS differ a little. */
const tolerance = 50;

/** Sends a call-back that failed before, or whose receiver is not known to be quick. */
export async function furtherAttempt(
  deps: FurtherAttemptDeps,
  message: EndedMessage,
): Promise<FurtherOutcome> {
  const now = Date.now();
  const callback = await findCallback(deps, message, now);
  if (!callback) return { outcome: 'dropped' };
  const progress = await deps.waiting.find(waitingRefOf(callback));
  if (isUseless(callback, now)) return await giveUp(deps, callback);
  const wait = waitOf(callback, progress, now);
  if (wait > tolerance) return await hold(deps, callback, wait, progress);
  return await inTurn(deps, callback, progress);
}

/** A client that is pinged so late can fetch nothing. */
const isUseless = ({ message, confirmation }: Callback, now: number): boolean =>
  message.kind === 'ping' && now >= redeemableUntil(confirmation);

/** Milliseconds until the call-back may be sent. */
function waitOf(
  { receiver, isSuspended, age }: Callback,
  progress: Progress | undefined,
  now: number,
): number {
  if (receiver.state === 'stopped' || isSuspended) return holdOf(age);
  return Math.max(progress?.nextAt ?? 0, receiver.pausedUntil ?? 0) - now;
}

async function hold(
  { waiting }: FurtherAttemptDeps,
  callback: Callback,
  wait: number,
  progress: Progress | undefined,
): Promise<FurtherOutcome> {
  if (!progress) await waiting.note(waitingRefOf(callback), Date.now());
  return { outcome: 'held', age: callback.age, wait };
}

/** A receiver that is not quick gets only a part of what all receivers share. */
async function inTurn(
  deps: FurtherAttemptDeps,
  callback: Callback,
  progress: Progress | undefined,
): Promise<FurtherOutcome> {
  const { receiver, age } = callback;
  if (receiver.fast) return await send(deps, callback, progress);
  const turn = await deps.turns.take(receiver, Date.now());
  if (!turn) return await hold(deps, callback, holdOf(age), progress);
  try {
    return await send(deps, callback, progress);
  } finally {
    await deps.turns.release(turn);
  }
}

async function send(
  deps: FurtherAttemptDeps,
  callback: Callback,
  progress: Progress | undefined,
): Promise<FurtherOutcome> {
  const { age } = callback;
  const result = await attempt(deps, callback);
  const isOver = result === 'unwanted' || result.succeeded;
  if (isOver && progress) await deps.waiting.remove(waitingRefOf(callback));
  if (result === 'unwanted') return { outcome: 'dropped' };
  const { reason } = result;
  if (result.succeeded) return { outcome: 'delivered', reason, age };
  const attempts = (progress?.attempts ?? 0) + 1;
  const now = Date.now();
  const nextAt = nextAttemptAt(attempts, result.demanded, now);
  if (nextAt === undefined) return await giveUp(deps, callback, reason);
  await deps.waiting.save(waitingRefOf(callback), { attempts, nextAt }, now);
  return { outcome: 'failed', reason, age, wait: nextAt - now };
}

async function giveUp(
  deps: FurtherAttemptDeps,
  callback: Callback,
  reason?: string,
): Promise<FurtherOutcome> {
  const { message, age } = callback;
  await deps.waiting.remove(waitingRefOf(callback));
  if (message.kind === 'ping') await deps.confirmations.forgetPing(message.challengeId);
  return { outcome: 'given-up', age, ...(reason !== undefined && { reason }) };
}
