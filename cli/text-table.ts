import { markHidden } from '../core/kernel/hidden-characters.ts';

type Cell = string | number | boolean | undefined;

/** Some texts are not the operator's own: a line end or a control of the terminal could forge lines. */
const textOf = (cell: Cell): string => markHidden(String(cell ?? ''));

/** One aligned line for each field with a value. */
export function fields(values: Record<string, Cell>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => textOf(name).length));
  return shown.map(([name, value]) => `${textOf(name).padEnd(width)}  ${textOf(value)}`).join('\n');
}

/** Aligned rows under headings. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows].map((row) => row.map(textOf));
  // No spread, which fails for very many rows.
  const widths = headings.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
