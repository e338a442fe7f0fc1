/** Whether the tab was left with an open request. After a reload nothing else knows, so the tab keeps this one word. */
const name = 'omi-left';

/**
 * Sets or forgets the word.
 *
 * @returns whether it was set before; where pages may store nothing, as in some frames, it was not
 */
export function markLeft(isLeft: boolean): boolean {
  try {
    const before = sessionStorage.getItem(name);
    sessionStorage.setItem(name, String(isLeft));
    return before === 'true';
  } catch {
    return false;
  }
}
