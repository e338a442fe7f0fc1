import { sleep } from '../../http/src/abort.ts';
import { OmiError } from './omi-error.ts';
import { isTransient } from '../../http/src/retries.ts';

/** A question that is looked at until it has ended. */
type Pollable = {
  status: string;
  createdAt: string;
  expiresAt: string;
  /** Seconds before the next poll; 1 if absent. */
  interval?: number;
};

/** Milliseconds that a poll may come after the expiry: the service was not reachable. */
const graceMs = 60_000;
const longestLifetimeMs = 24 * 60 * 60_000;

/**
 * Milliseconds before the next poll: never before the service's interval, which is kept within reason.
 *
 * @param random from 0 to 1: spreads the polls of many callers
 */
export function pauseAfter(interval: number, random: number): number {
  return Math.min(Math.max(interval, 0.5), 30) * 1000 * (1 + random / 10);
}

/**
 * Milliseconds before a poll that failed is repeated.
 *
 * @param failures how many have failed in a row before
 */
export function pauseAfterFailure(failures: number, retryAfter: number | undefined, random: number): number {
  return Math.max((retryAfter ?? 0) * 1000, Math.min(500 * 2 ** failures, 8_000)) * (1 + random / 4);
}

/** How long the user may answer, by the service's clock alone. */
function lifetimeOf({ createdAt, expiresAt }: Pollable): number {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  return lifetime >= 0 ? Math.min(lifetime, longestLifetimeMs) : 0;
}

type Polling<T extends Pollable> = {
  poll: () => Promise<T>;
  /** If the question is known already. */
  first?: T | undefined;
  onPending: (question: T) => Promise<void>;
  signal?: AbortSignal | undefined;
  /** Between two polls; {@link sleep} by default. */
  pause?: (question: T, milliseconds: number, signal?: AbortSignal) => Promise<void>;
  sleep?: typeof sleep | undefined;
};

/**
 * Polls until the question has ended. Bridges faults of the service until shortly after the expiry.
 *
 * @throws {OmiError}; or the signal's reason
 */
export async function pollUntilFinal<T extends Pollable>({
  first,
  onPending,
  pause,
  ...polling
}: Polling<T>): Promise<T> {
  let question = first ?? (await pollPatiently(polling, performance.now() + graceMs));
  if (question.status === 'pending') await onPending(question);
  const end = performance.now() + lifetimeOf(question) + graceMs;
  while (question.status === 'pending') {
    if (performance.now() > end)
      throw new OmiError('timeout', { detail: 'The question is still pending after its expiry.' });
    const milliseconds = pauseAfter(question.interval ?? 1, Math.random());
    if (pause) await pause(question, milliseconds, polling.signal);
    else await (polling.sleep ?? sleep)(milliseconds, polling.signal);
    question = await pollPatiently(polling, end);
  }
  return question;
}

async function pollPatiently<T extends Pollable>(
  { poll, signal, sleep: pauseFor = sleep }: Pick<Polling<T>, 'poll' | 'signal' | 'sleep'>,
  end: number,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await poll();
    } catch (error) {
      if (!isTransient(error)) throw error;
      const pause = pauseAfterFailure(failures, error.retryAfter, Math.random());
      if (performance.now() + pause > end) throw error;
      await pauseFor(pause, signal);
    }
  }
}
