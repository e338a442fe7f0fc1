/** 2026-11-26T08:30:00Z as a part of a table's name. */
const stampOf = (at: number): string =>
  new Date(at)
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
    .toLowerCase();

const suffix = /-at-(\d{4})(\d{2})(\d{2})t(\d{2})(\d{2})(\d{2})z$/;

/** The name of the table that has what was in this one at a moment. It follows from both, so that a repeated command finds it. */
export const restoredName = (table: string, at: number): string =>
  `${table.replace(suffix, '')}-at-${stampOf(at)}`;

/** The moment of a restored table of this one. Undefined for any other table. */
export function momentOf(restored: string, table: string): number | undefined {
  const stamp = suffix.exec(restored);
  if (!stamp || restored.replace(suffix, '') !== table.replace(suffix, '')) return undefined;
  const [, year, month, day, hour, minute, second] = stamp;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}
