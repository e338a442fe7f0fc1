import { attempt, type AttemptDeps, type Callback, findCallback, waitingRefOf } from './attempt.ts';
import type { EndedMessage } from './callback-message.ts';
import type { CallbackQueue } from './callback-queue.ts';
import { nextAttemptAt } from './retry-schedule.ts';

export type FirstAttemptDeps = AttemptDeps & { retries: CallbackQueue };

/** `moved`: to the queue of further attempts. */
export type FirstOutcome = { outcome: 'delivered' | 'dropped' | 'moved'; reason?: string; ageMs?: number };

/**
 * Only calls of receivers that answer quickly may take a place here, so that no other one holds up their callbacks. One that
 * failed, stopped or asked for a pause is not fast any more.
 */
const isQuick = ({ receiver, isSuspended }: Callback): boolean => receiver.fast === true && !isSuspended;

/** Sends a callback for the first time, if its receiver is known to be quick. Everything else is moved. */
export async function firstAttempt(deps: FirstAttemptDeps, message: EndedMessage): Promise<FirstOutcome> {
  const callback = await findCallback(deps, message, Date.now());
  if (!callback) return { outcome: 'dropped' };
  const { ageMs } = callback;
  if (!isQuick(callback)) {
    await move(deps, message, 0);
    return { outcome: 'moved', ageMs };
  }
  const result = await attempt(deps, callback);
  if (result === 'unwanted') return { outcome: 'dropped' };
  const { reason } = result;
  if (result.succeeded) return { outcome: 'delivered', reason, ageMs };
  const now = Date.now();
  const nextAt = nextAttemptAt(1, result.demanded, now) ?? now;
  await deps.waiting.save(waitingRefOf(callback), { attempts: 1, nextAt }, now);
  await move(deps, message, nextAt - now);
  return { outcome: 'moved', reason, ageMs };
}

/** The message in this queue is only deleted once the other queue has it. */
async function move({ retries }: FirstAttemptDeps, message: EndedMessage, delayMs: number): Promise<void> {
  const { failed, reasons } = await retries.send([message], { delay: delayMs });
  if (failed.length > 0) throw new Error(`SQS did not accept the callback: ${reasons.join(', ')}`);
}
