import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Option } from 'commander';
import * as v from 'valibot';
import { retention } from '../../core/kernel/retention.ts';
import { hours, isDateOfCalendar, rfc3339, seconds } from '../../core/kernel/time.ts';
import { CommandError } from '../command-error.ts';
import { topCommand } from '../command.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { requireKnownTypes } from '../event-types.ts';
import { checkedOption, typeOption } from '../options.ts';
import type { Session } from '../session.ts';
import { refOf, type TargetOptions } from '../targets/target-record.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { exportEvents } from './export-day.ts';
import { unwritable } from './unwritable.ts';

type Options = TargetOptions & { day: string; out: string; type?: string[] };

const calendarDay = v.pipe(v.string(), v.isoDate(), v.check(isDateOfCalendar));

export const exportCommand = topCommand<Options>({
  ids: [tenantId, categoryId],
  options: [
    checkedOption('--day <date>', 'the day of acceptance, in UTC', calendarDay, {
      expected: 'a date',
      example: '2026-03-01',
    }).makeOptionMandatory(),
    new Option(
      '--out <file>',
      'the file to write, which must not exist. Its folder is created if it is missing',
    ).makeOptionMandatory(),
    typeOption('only events of these types (default: all)'),
  ],
  examples: [
    `export ${exampleTenant} public --day 2026-03-01 --out events.jsonl`,
    `export ${exampleTenant} log --day 2026-03-01 --type UserErasedEvent --out erased.jsonl`,
  ],
  run: exportDay,
});

async function exportDay(session: Session, options: Options): Promise<void> {
  requireKnownTypes(options);
  const range = rangeOf(options.day, Date.now());
  await prepare(options.out);
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  if (!range.isComplete) session.note(incomplete);
  let unreadable = 0;
  const wanted = { ...refOf(options), from: range.from, to: range.to, types: options.type };
  const count = await exportEvents(deployment, wanted, options.out, {
    read: (hour, { events }) => session.note(`${events} events, processed up to the end of ${hour}h UTC`),
    unreadable: (reason) => {
      unreadable += 1;
      session.note(`Not readable: ${reason}`);
    },
  });
  const { tenant, category, day } = options;
  const { isComplete: complete } = range;
  const result = { tenantId: tenant, category, day, file: resolve(options.out), ...count, complete };
  session.print({ ...result, unreadable }, fields({ file: result.file, ...count }));
  if (unreadable > 0)
    throw new CommandError(`${unreadable} items of the events table could not be read as events.`);
}

const incomplete =
  'The file may not have the whole day: the day may not be over, or its first events are no longer stored.';

/** The index of the events table follows the table with a delay. */
const indexDelayMs = 60 * seconds;

/** The part of the day whose events are stored. */
function rangeOf(day: string, now: number): { from: number; to: number; isComplete: boolean } {
  const start = Date.parse(`${day}T00:00:00Z`);
  const end = start + 24 * hours;
  const oldest = now - retention.event;
  if (start >= now) throw new CommandError('This day has not started yet, in UTC.');
  if (end <= oldest)
    throw new CommandError(`Events are kept for 14 days. Those before ${rfc3339(oldest)} are gone.`);
  return {
    from: Math.max(start, oldest),
    to: Math.min(end, now),
    isComplete: start >= oldest && end + indexDelayMs <= now,
  };
}

/** Before anything is read. An existing file may have been given to somebody. */
async function prepare(file: string): Promise<void> {
  if (await exists(file))
    throw new CommandError(`${file} exists already.`, 'Remove it, or choose another name.');
  try {
    // Events have personal data.
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw unwritable(file, error);
  }
}

const exists = async (file: string): Promise<boolean> =>
  await stat(file).then(
    () => true,
    () => false,
  );
