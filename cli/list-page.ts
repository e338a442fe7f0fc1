import type { Option } from 'commander';
import * as v from 'valibot';
import { UsageError } from './command-error.ts';
import { checkedOption, numberOption } from './options.ts';

/** What a list is sorted by. No two rows have the same key. */
type SortKey = readonly (string | number)[];

/** A list and its order, such as `tenant list --sort name`, and the key of the last row of a page. */
type Cursor = [order: string, after: SortKey];

export type PageOptions = { limit?: number; cursor?: Cursor };

/** The cursor is missing if nothing is left. */
type Page<Row> = { rows: Row[]; cursor?: string };

const cursorForm = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64url').toString()),
  v.parseJson(),
  v.strictTuple([v.string(), v.array(v.union([v.string(), v.number()]))]),
);

export const cursorOption = (form: v.GenericSchema): Option =>
  checkedOption('--cursor <cursor>', 'the next page, by the cursor that the last one gave', form, {
    expected: 'the cursor of an earlier page',
    example: 'the one that its last line names',
  });

export const pageOptions = (): Option[] => [
  numberOption('--limit <count>', 'at most so many (default: all)', { from: 1, example: 50 }),
  cursorOption(cursorForm),
];

const texts = new Intl.Collator('en');

const compareParts = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : texts.compare(String(a), String(b));

const compareKeys = (a: SortKey, b: SortKey): number =>
  a.map((part, at) => compareParts(part, b[at] ?? '')).find((result) => result !== 0) ?? 0;

/**
 * The rows in order, behind the cursor. It names a row by its key, so it stays right when rows are added or removed.
 *
 * @param order tells the cursors of this list from others
 * @throws {UsageError} if the cursor is of another list or order
 */
export function pageOf<Row>(
  all: readonly Row[],
  { order, keyOf }: { order: string; keyOf: (row: Row) => SortKey },
  { limit, cursor }: PageOptions,
): Page<Row> {
  if (cursor && cursor[0] !== order)
    throw new UsageError(`--cursor: it is of "omi ${cursor[0]}", and not of "omi ${order}".`);
  const sorted = all.map((row) => ({ row, key: keyOf(row) })).toSorted((a, b) => compareKeys(a.key, b.key));
  const left = cursor ? sorted.filter(({ key }) => compareKeys(key, cursor[1]) > 0) : sorted;
  const shown = left.slice(0, limit);
  const last = shown.length < left.length ? shown.at(-1) : undefined;
  return { rows: shown.map(({ row }) => row), ...(last && { cursor: cursorText([order, last.key]) }) };
}

const cursorText = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url');

/** For programs: the rows, or a page of them with the cursor of the next one. */
export const pageView = (
  name: string,
  rows: readonly unknown[],
  { limit, cursor: after }: PageOptions,
  cursor: string | undefined,
): unknown =>
  limit === undefined && after === undefined
    ? rows
    : { [name]: rows, ...(cursor !== undefined && { cursor }) };

/** What a page shows to people. */
export const pageText = (parts: readonly string[], cursor: string | undefined): string =>
  [
    ...parts,
    ...(cursor === undefined ? [] : [`The next page: the same command with --cursor ${cursor}`]),
  ].join('\n\n');
