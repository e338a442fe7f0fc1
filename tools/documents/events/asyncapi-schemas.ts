/** The schemas of the AsyncAPI document: the published ones, as components that lead nowhere else. */
import { currentCatalogue, readSchema } from '../../../core/events/schemas/published.ts';

export type Schema = Record<string, unknown>;

/** A public event's type and one version of its payload. */
export type EventVersion = { name: string; type: string; version: string; description: string };

const { envelopes, payloads } = currentCatalogue();

export const eventVersions: EventVersion[] = payloads.map(({ name: type, version, description }) => ({
  name: `${type}-${version}`,
  type,
  version,
  description,
}));

export const ref = (place: string): { $ref: string } => ({ $ref: `#/components/${place}` });

/** Where a schema is from, and what names it in a refusal's sentence: a component has a name of its own. */
const ownWords = ['$schema', '$id', 'title', 'examples', 'x-recordedBy'];

const component = (schema: object): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ownWords.includes(keyword)));

/** An event of this category, and its metadata as a component of their own. */
function categorySchemas(category: string, [event, metadata]: [string, string]): Record<string, Schema> {
  const path = envelopes.find(({ name }) => name === category)?.schema ?? '';
  const { properties = {}, ...schema } = component(readSchema(path)) as {
    properties?: Record<string, object>;
  };
  return {
    [event]: { ...schema, properties: { ...properties, metadata: ref(`schemas/${metadata}`) } },
    [metadata]: component(properties['metadata'] ?? {}),
  };
}

/** The metadata names the type and version of the payload. */
const typedEvent = ({ name, type, version, description }: EventVersion): Schema => ({
  description,
  allOf: [
    ref('schemas/PublicEvent'),
    {
      type: 'object',
      properties: {
        metadata: {
          type: 'object',
          properties: { type: { const: type }, payloadVersion: { const: version } },
        },
        payload: ref(`schemas/${name}-payload`),
      },
    },
  ],
});

/** What a record of a stream holds, a line of an object, and the body of a webhook's call. */
const envelope = (description: string, items: Schema): Schema => ({
  description,
  type: 'object',
  properties: { events: { type: 'array', items } },
  required: ['events'],
  additionalProperties: false,
});

const challenge: Schema = { type: 'string', minLength: 1, description: 'A random text, new in each call.' };

export const asyncApiSchemas = (): Record<string, Schema> => ({
  Verification: {
    description: "What a webhook's receiver is asked before the first event, and then daily.",
    type: 'object',
    properties: { type: { type: 'string', const: 'omi.verification' }, challenge },
    required: ['type', 'challenge'],
  },
  VerificationAnswer: {
    description: "A receiver's answer.",
    type: 'object',
    properties: { challenge },
    required: ['challenge'],
    additionalProperties: false,
  },
  PublicEvents: envelope(
    'Public events, in order for each `aggregateId`; none in what a test of a stream leaves.',
    {
      oneOf: eventVersions.map(({ name }) => ref(`schemas/${name}`)),
    },
  ),
  LogEvents: envelope(
    'Log events, in order for each `agent`; none in what a test of a stream leaves.',
    ref('schemas/LogEvent'),
  ),
  ...categorySchemas('public', ['PublicEvent', 'PublicMetadata']),
  ...categorySchemas('log', ['LogEvent', 'LogMetadata']),
  ...Object.fromEntries(eventVersions.map((version) => [version.name, typedEvent(version)])),
  ...Object.fromEntries(
    payloads.map(({ name, version, schema }) => [
      `${name}-${version}-payload`,
      component(readSchema(schema)),
    ]),
  ),
});
