import { setTimeout as wait } from 'node:timers/promises';
import { ClientError } from './http.ts';

export type Patience = { everyMs: number; atMostMs: number; signal?: AbortSignal };

export const soon: Patience = { everyMs: 100, atMostMs: 10_000 };

/** Asks again and again until there is an answer; the fault says what never came. */
export async function eventually<Result>(
  what: string,
  ask: () => Promise<Result | undefined>,
  { everyMs, atMostMs, signal }: Patience,
): Promise<Result> {
  const end = Date.now() + atMostMs;
  for (;;) {
    const result = await ask();
    if (result !== undefined) return result;
    if (Date.now() > end) throw new ClientError(`${what} did not arrive within ${atMostMs / 1000} s`);
    await wait(everyMs, undefined, { ...(signal && { signal }) });
  }
}
