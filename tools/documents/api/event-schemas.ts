/** What `recordEvents` takes: the published schemas of docs/events/, by which the service itself checks. */
import logEvent from '../../../core/events/schemas/log-event-1.0.json' with { type: 'json' };
import publicEvent from '../../../core/events/schemas/public-event-1.0.json' with { type: 'json' };
import * as payloads from '../../../core/events/payloads.ts';
import { ref, type JsonSchema } from './json-schema.ts';
import { strictObject, text, type Members } from './objects.ts';

/** What says where a schema is from, or names it in a sentence of a refusal; a component has its own name. */
const ownWords = ['$schema', '$id', 'title', 'x-recordedBy'];

/** The schema as a component of the document, which leads nowhere else. */
const component = (schema: object): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ownWords.includes(keyword)));

const types = Object.values(payloads).map((schema) => {
  const [type = '', version = ''] = schema.$id.split(':').slice(-2);
  return { name: `${type}-${version}`, type, version, schema };
});

/** The metadata names the type and version of the payload. */
const typed = ({ name, type, version }: (typeof types)[number]): JsonSchema => ({
  title: `${type} ${version}`,
  allOf: [
    ref('PublicEvent'),
    {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: { type: { const: type }, payloadVersion: { const: version } },
        },
        payload: ref(name),
      },
    },
  ],
});

export const eventSchemas: Members = {
  LogEvent: component(logEvent),
  PublicEvent: {
    ...component(publicEvent),
    properties: {
      ...publicEvent.properties,
      payload: { type: 'object', description: 'The schema of its type and version says what is inside.' },
    },
  },
  ...Object.fromEntries(types.map(({ name, schema }) => [name, component(schema)])),
  RecordableEvent: {
    description: 'A log event, or a public event with the payload of its type and version.',
    oneOf: [ref('LogEvent'), ...types.map(typed)],
  },
  RecordRequest: strictObject('Events, in the order in which they are to be accepted.', {
    events: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: ref('RecordableEvent'),
      description:
        'No id may occur twice, not even in another case. Each event has at most 256 KiB of UTF-8 as JSON without white space, and at most ' +
        '100 levels of nesting.',
    },
  }),
  DeliveredEvents: strictObject('Events of a category, each as its producer wrote it.', {
    events: {
      type: 'array',
      minItems: 1,
      maxItems: 100,
      items: { anyOf: [ref('LogEvent'), ref('PublicEvent')] },
      description: 'Those of an aggregate are in the order in which they were accepted.',
    },
  }),
  WebhookVerification: strictObject('Asks whether the receiver wants the events.', {
    type: { const: 'omi.verification' },
    challenge: text('Another one in each call.'),
  }),
  RecordAnswer: strictObject('All events of the call are recorded.', {
    accepted: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'The number of events of the call, including those that were recorded before.',
    },
  }),
};
