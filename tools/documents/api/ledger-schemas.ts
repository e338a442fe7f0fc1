/** How many events were accepted, and which. */
import { ref } from './json-schema.ts';
import { strictObject, text, type Members } from './objects.ts';

const sum: Members = {
  count: { type: 'integer', minimum: 0, description: 'How many events.' },
  digest: text(
    "The sum of the SHA-256 of each event id's text, modulo 2^256, in hexadecimal. Neither the order nor repeated delivery changes it.",
    { pattern: '^[0-9a-f]{64}$' },
  ),
};

export const ledgerSchemas: Members = {
  LedgerSum: strictObject('A number of events, and what tells them from others.', sum),
  LedgerHour: strictObject('All events that were accepted in an hour, whatever the filter of the export.', {
    hour: text('The begin of the hour, in UTC.', {
      format: 'date-time',
      pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:00:00Z$`,
    }),
    ...sum,
    types: {
      type: 'object',
      additionalProperties: ref('LedgerSum'),
      description: 'The same by type of event.',
    },
    final: {
      type: 'boolean',
      description: 'True if no event will be added to this hour: a minute after its end.',
    },
  }),
  Ledger: strictObject('The hours of a range, oldest first. Each hour is there, also an empty one.', {
    hours: { type: 'array', items: ref('LedgerHour') },
  }),
  LedgerIds: strictObject("A page of an hour's ids, in no particular order.", {
    eventIds: { type: 'array', items: text('As the producer wrote it.', { format: 'uuid' }) },
    'cursor?': text('For the next page. Absent on the last page.'),
  }),
};
