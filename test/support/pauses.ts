import { setTimeout as wait } from 'node:timers/promises';

const SHORTEST_MS = 20;
const LONGEST_MS = 400;

/**
 * Pauses between looks at what is waited for, each longer than the one before: what comes soon is seen soon, and what takes
 * its time is not kept from coming by those who ask. A look takes calls of several services, and with them the time of other
 * suites.
 */
export function growingPauses(shortest = SHORTEST_MS): () => Promise<void> {
  let next = shortest;
  return async () => {
    await wait(next);
    next = Math.min(1.5 * next, LONGEST_MS);
  };
}
