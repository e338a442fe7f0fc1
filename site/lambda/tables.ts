import type { TableDefinition } from '../../core/aws/tables.ts';

/** The only table of the demo bank on AWS. `lib/` creates it. Nothing in it outlives a visit for long. */
export const demoTable: TableDefinition = { sorted: false, expires: true };
