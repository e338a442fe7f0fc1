import { exampleAnswers, exampleRequests } from './examples.ts';
import type { WebsiteOperation } from './operation.ts';

/** The operation of the platform's own services. */
export const recordEvents: WebsiteOperation = {
  tag: 'events',
  summary: 'Record what happened',
  description: `
For the platform's own services: \`public\` events are changes that matter to the business, \`log\` events are the audit
trail. The service keeps them exactly as they were written, and delivers them to the tenant's targets.

All events of a call are recorded, or none. Checked in this order: the size of the body and the number of events (413), every
member of every event (400), the tenants (403), the types and producers (403), the ids (409).

Safe to repeat: an event that was recorded before is not recorded again, and counts as accepted. For 14 days the
service recognises it by its \`eventId\` and its \`aggregateId\` (log events: their \`agent\`, if they have one).

The events of an aggregate, and the log events of an agent, keep the order in which the calls were accepted, and within a call
the order of the array.`,
  body: {
    schema: 'RecordRequest',
    examples: { record: { summary: 'A refused password, then a sign-in', value: exampleRequests.record } },
  },
  success: {
    status: 202,
    description: 'All of them are recorded, by this call or by an earlier one.',
    content: {
      schema: 'RecordAnswer',
      examples: { recorded: { summary: 'Two events', value: exampleAnswers.recorded } },
    },
  },
};
