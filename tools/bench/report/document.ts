import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Each benchmark that has a block in the document. */
export const benchmarks = [
  'bench:cold',
  'bench:api',
  'bench:export',
  'bench:recovery',
  'bench:callbacks',
  'bench:signals',
  'bench:website',
  'bench:neighbour',
  'bench:targets',
  'bench:ledger',
  'bench:log',
  'soak',
] as const;
export type Benchmark = (typeof benchmarks)[number];

export const documentPath = join(import.meta.dirname, '..', '..', '..', 'docs', 'performance.md');

const begin = (benchmark: Benchmark): string => `<!-- begin ${benchmark} -->`;
const end = (benchmark: Benchmark): string => `<!-- end ${benchmark} -->`;

/** The block of a benchmark, or undefined if the document has no markers for it. */
export function blockOf(document: string, benchmark: Benchmark): string | undefined {
  const from = document.indexOf(begin(benchmark));
  const to = document.indexOf(end(benchmark));
  return from < 0 || to < from ? undefined : document.slice(from + begin(benchmark).length, to).trim();
}

/** The document with a new block. */
export function withBlock(document: string, benchmark: Benchmark, block: string): string {
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
