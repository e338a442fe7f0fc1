import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Question = { file: string; name: string; description: string };

const questions: Question[] = [
  {
    file: 'confirmations-per-hour',
    name: 'Confirmations per hour',
    description: 'How many confirmations were asked for in each hour of the last week, and how they ended.',
  },
  {
    file: 'denials-by-user',
    name: 'Denials by user',
    description: 'Users who denied in the last 30 days, first those who said that it was not them.',
  },
  {
    file: 'time-to-answer',
    name: 'Time to answer',
    description:
      'How long users took to confirm or deny, for each day of the last 30: the median, and 9 of 10.',
  },
  {
    file: 'devices-added',
    name: 'Devices added',
    description: 'Devices that were enrolled in the last 30 days, for each day and platform.',
  },
  {
    file: 'events-by-type',
    name: 'Events by type',
    description: 'All events of the last week, by type and version.',
  },
];

/** Queries that people ask, in the SQL of Athena (Trino). An event may be delivered twice, so each counts ids. */
export const queries = questions.map(({ file, ...question }) => ({
  ...question,
  sql: readFileSync(join(import.meta.dirname, `${file}.sql`), 'utf8').trimEnd(),
}));
