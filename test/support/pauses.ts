import { setTimeout as wait } from 'node:timers/promises';

const shortestMs = 20;
const longestMs = 400;

/**
 * Pauses between looks at what is waited for, each longer than the one before: what comes soon is seen soon, and what takes
 * its time is not kept from coming by those who ask. A look takes calls of several services, and with them the time of other
 * suites.
 */
export function growingPauses(shortest = shortestMs): () => Promise<void> {
  let next = shortest;
  return async () => {
    await wait(next);
    next = Math.min(1.5 * next, longestMs);
  };
}
