/** What benchmarks share: statistics, tables, and their blocks in docs/performance.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';

/** Each benchmark that has a block in the document. */
const benchmarks = [
  'bench:cold',
  'bench:api',
  'bench:export',
  'bench:website',
  'bench:neighbour',
  'soak',
] as const;
export type Benchmark = (typeof benchmarks)[number];

const documents = join(import.meta.dirname, '..', '..', 'docs');
const documentPath = join(documents, 'performance.md');

const begin = (benchmark: Benchmark): string => `<!-- begin ${benchmark} -->`;
const end = (benchmark: Benchmark): string => `<!-- end ${benchmark} -->`;

/** The block of a benchmark, or undefined if the document has no markers for it. */
function blockOf(document: string, benchmark: Benchmark): string | undefined {
  const from = document.indexOf(begin(benchmark));
  const to = document.indexOf(end(benchmark));
  return from < 0 || to < from ? undefined : document.slice(from + begin(benchmark).length, to).trim();
}

/** The document with a new block. */
function withBlock(document: string, benchmark: Benchmark, block: string): string {
  if (blockOf(document, benchmark) === undefined)
    throw new Error(`The document has no lines ${begin(benchmark)} and ${end(benchmark)}.`);
  const before = document.slice(0, document.indexOf(begin(benchmark)));
  const after = document.slice(document.indexOf(end(benchmark)));
  return `${before}${begin(benchmark)}\n\n${block.trim()}\n\n${after}`;
}

/** Replaces the block of a benchmark in docs/performance.md. */
export async function writeBlock(benchmark: Benchmark, block: string): Promise<void> {
  await writeFile(documentPath, withBlock(await readFile(documentPath, 'utf8'), benchmark, block));
}

/** The machine of a benchmark, in a line. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, ${memory} GiB, ${arch()}, Node.js ${process.version}`;
}

/** With one digit after the point below 10. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat('en-GB', { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);

export const formatPercent = (share: number): string => `${formatNumber(share * 100)} %`;

/** A Markdown table that is also readable on a terminal. Columns but the first are aligned to the right. */
export function formatTable(rows: readonly Record<string, string>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const widths = columns.map((column) =>
    Math.max(column.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(columns), rule, ...rows.map((row) => line(columns.map((column) => row[column] ?? '')))].join(
    '\n',
  );
}

const sorted = (values: readonly number[]): number[] => {
  if (values.length === 0) throw new RangeError('There are no values.');
  return values.toSorted((one, other) => one - other);
};

/** The middle value; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const all = sorted(values);
  const [lower = Number.NaN, upper = Number.NaN] = [
    all[Math.floor((all.length - 1) / 2)],
    all[Math.floor(all.length / 2)],
  ];
  return (lower + upper) / 2;
}

/** The smallest value that at least this share of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], share: number): number {
  const all = sorted(values);
  return all[Math.max(0, Math.ceil(share * all.length) - 1)] ?? Number.NaN;
}

/** Gives the same numbers from 0 to 1 in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
