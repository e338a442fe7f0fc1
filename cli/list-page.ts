import type { Option } from 'commander';
import { numberOption } from './options.ts';

/** Which part of a sorted list a command shows. */
export type PageOptions = { limit?: number; skip?: number };

export const pageOptions = (): Option[] => [
  numberOption('--limit <count>', 'at most so many (default: all)', { from: 1, example: 50 }),
  numberOption('--skip <count>', 'leave out so many at the beginning', { from: 0, example: 50 }),
];

export const pageOf = <One>(list: readonly One[], { limit, skip = 0 }: PageOptions): One[] =>
  list.slice(skip, limit === undefined ? undefined : skip + limit);

/** A line for people if the page is not all, with the options of the next one. */
export function restOf(count: number, { limit, skip = 0 }: PageOptions): string | undefined {
  const shown = Math.max(0, Math.min(count - skip, limit ?? count));
  if (shown === count) return undefined;
  const next = skip + shown;
  const more = next < count && limit !== undefined ? ` The next: --limit ${limit} --skip ${next}` : '';
  return `${shown} of ${count} are shown.${more}`;
}
