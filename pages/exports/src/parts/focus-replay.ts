import type { Category } from '../api/shapes.ts';

/** A range was chosen elsewhere, and its replay is still to be started. */
export const focusReplay = (category: Category): void =>
  document.getElementById(`replay-from-${category}`)?.focus();
