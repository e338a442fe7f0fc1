import type { TableDefinition } from '../../../core/aws/tables.ts';

/**
 * The only table of the demo bank on AWS, which `lib/` creates:
 *
 * - `value#key` / `value`: sessions, and what the routes of `@omi/website` keep
 * - `account#user` / `account`: the account of a visitor's user
 * - `live#hash of a topic` / id: what the page shows of the calls
 */
export const demoTable: TableDefinition = { sorted: true, expires: true };
