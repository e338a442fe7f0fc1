import { setTimeout } from 'node:timers/promises';
import { ConflictError } from './conflict-error.ts';

const attempts = 8;
const longestWait = 200;

/** Full jitter: those who met once should not meet again. */
const wait = (attempt: number): number => Math.random() * Math.min(longestWait, 10 * 2 ** attempt);

/** Runs a read and its conditional write again, from the read, as long as others were quicker. */
export async function retryOnConflict<T>(run: () => Promise<T>, attempt = 1): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ConflictError) || attempt === attempts) throw error;
    await setTimeout(wait(attempt));
    return await retryOnConflict(run, attempt + 1);
  }
}
