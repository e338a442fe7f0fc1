import { arch, availableParallelism, cpus, totalmem } from 'node:os';

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
