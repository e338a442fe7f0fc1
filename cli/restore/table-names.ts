/** 2026-11-26T08:30:00Z as a part of a table's name. */
const stampOf = (at: number): string =>
  new Date(at)
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, '')
    .toLowerCase();

const suffix = /-at-\d{8}t\d{6}z$/;

/** The name of the table that has what was in this one at a moment. It follows from both, so that a repeated command finds it. */
export const restoredName = (table: string, at: number): string =>
  `${table.replace(suffix, '')}-at-${stampOf(at)}`;
