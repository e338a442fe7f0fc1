import * as v from 'valibot';
import { action, checkedOption, examples, listOption, type Register, wholeNumber } from '../command.ts';
import { categoryOption, eventType, tenantOption } from '../options.ts';
import { replay } from './replay.ts';

/** `Date` takes the 31st of February for a day in March. */
function isOfCalendar(text: string): boolean {
  const [date = ''] = text.split('T');
  const day = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date);
}

/** With an offset: what "midnight" is must not hang on where the command runs. */
const time = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.check(isOfCalendar),
  v.transform((text) => Date.parse(text)),
  v.number(),
);

const timeOption = (flags: string, description: string) =>
  checkedOption(flags, description, time, 'expected a time like 2026-03-01T08:30:00Z');

const target = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --category public';
const range = '--from 2026-03-01T08:00:00Z --to 2026-03-01T10:00:00Z';

export const registerReplay: Register = (above, terminal) => {
  above
    .command('replay')
    .description(
      'Sends events to their target once more, under the ids that they have. The time is that of acceptance, not more than ' +
        '14 days ago. The replay goes on if this command ends.',
    )
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(categoryOption().makeOptionMandatory())
    .addOption(timeOption('--from <time>', 'accepted from then on').makeOptionMandatory())
    .addOption(timeOption('--to <time>', 'and before then').makeOptionMandatory())
    .addOption(listOption('--type <type...>', 'only events of these types', eventType))
    .addOption(
      checkedOption(
        '--portion <events>',
        'about how many events to send at once; the next portion follows after the delivery of the previous one (default: 4 MB of events)',
        v.pipe(wholeNumber, v.minValue(1)),
        'expected a whole number above 0',
      ),
    )
    .option('--no-wait', 'do not follow how far it is')
    .addHelpText(
      'after',
      examples(
        `replay ${target} ${range}`,
        `replay ${target} ${range} --type UserSignedInEvent --no-wait`,
        `replay ${target} ${range} --portion 100`,
      ),
    )
    .action(action(terminal, replay));
};
