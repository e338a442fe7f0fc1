import { setTimeout } from 'node:timers/promises';
import { ConflictError } from './conflict-error.ts';

const attempts = 8;
const longestWaitMs = 200;

/** Full jitter, so that concurrent callers do not collide again. */
const wait = (attempt: number): number => Math.random() * Math.min(longestWaitMs, 10 * 2 ** attempt);

/** Repeats a read and its conditional write, from the read on, after a conflict. */
export async function retryOnConflict<T>(run: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error;
    await setTimeout(wait(attempt));
    return await retryOnConflict(run, attempt + 1);
  }
}
