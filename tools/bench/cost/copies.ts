import type { Usage, Usages } from './model.ts';
import { kilobyte } from './units.ts';

/** Days for which the second region keeps a copy, by default. The backup of which it is a copy stays for one. */
const keepDays = 3;
const [hoursOfDay, daysOfMonth] = [24, 30];

/** A month of each GB of tables. AWS Backup has no incremental backups of DynamoDB: each is the whole table. */
function everyHours(hours: number): Usage {
  const aDay = (hoursOfDay / hours) * kilobyte ** 3;
  return { backupBytes: (1 + keepDays) * aDay, copiedBytes: daysOfMonth * aDay };
}

export const copies: Usages = {
  'a copy each hour': everyHours(1),
  'a copy every 4 hours': everyHours(4),
  'a copy a day': everyHours(24),
};
