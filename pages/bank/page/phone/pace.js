/** While something is open, an answer should not wait for the phone. */
const WHILE_OPEN = 1000;
const OTHERWISE = 5000;
const LONGEST = 15_000;

/**
 * Milliseconds until the phone asks the service again.
 *
 * @param {{ isOpen: boolean, failures: number }} situation
 */
export function pauseOf({ isOpen, failures }) {
  if (failures > 0) return Math.min(WHILE_OPEN * 2 ** failures, LONGEST);
  return isOpen ? WHILE_OPEN : OTHERWISE;
}
