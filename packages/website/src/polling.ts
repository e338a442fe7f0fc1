import { sleep } from '../../http/src/abort.ts';
import { OmiError } from './omi-error.ts';
import { isTransient } from '../../http/src/retries.ts';
import type { Confirmation } from './types.ts';

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
function lifetimeOf({ createdAt, expiresAt }: Confirmation): number {
  const lifetime = Date.parse(expiresAt) - Date.parse(createdAt);
  return lifetime >= 0 ? Math.min(lifetime, longestLifetimeMs) : 0;
}

type Polling = {
  poll: () => Promise<Confirmation>;
  /** If the confirmation is known already. */
  first?: Confirmation | undefined;
  onPending: (confirmation: Confirmation) => Promise<void>;
  signal?: AbortSignal | undefined;
  sleep?: typeof sleep | undefined;
};

/**
 * Polls until the confirmation has ended. Bridges faults of the service until shortly after the expiry.
 *
 * @throws {OmiError}; or the signal's reason
 */
export async function pollUntilFinal({ first, onPending, ...polling }: Polling): Promise<Confirmation> {
  let confirmation = first ?? (await pollPatiently(polling, performance.now() + graceMs));
  if (confirmation.status === 'pending') await onPending(confirmation);
  const end = performance.now() + lifetimeOf(confirmation) + graceMs;
  while (confirmation.status === 'pending') {
    if (performance.now() > end)
      throw new OmiError('timeout', { detail: 'The confirmation is still pending after its expiry.' });
    await (polling.sleep ?? sleep)(pauseAfter(confirmation.interval, Math.random()), polling.signal);
    confirmation = await pollPatiently(polling, end);
  }
  return confirmation;
}

async function pollPatiently(
  { poll, signal, sleep: pauseFor = sleep }: Pick<Polling, 'poll' | 'signal' | 'sleep'>,
  end: number,
): Promise<Confirmation> {
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
