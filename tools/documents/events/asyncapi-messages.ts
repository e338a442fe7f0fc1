/** The messages of the AsyncAPI document: the envelope of each category, and each event that may be in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventVersions, ref, type EventVersion, type Schema } from './asyncapi-schemas.ts';
import { readSchema } from '../../../core/events/schemas/published.ts';

type Event = { metadata: Record<string, unknown> & { category: string }; payload?: unknown };

const readText = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8');
const read = (path: string): unknown => JSON.parse(readText(path));

/** One event of each category. */
const { events: recorded } = read('../../../docs/events/example.json') as { events: Event[] };

/** What an exporter wrote; docs/tenants.md shows the same. */
const exported = {
  public: read('../../../docs/examples/exported/public.json'),
  log: JSON.parse(readText('../../../docs/examples/exported/log.jsonl').split('\n')[0] ?? '') as unknown,
};

const exampleOf = (category: string): Event => {
  const found = recorded.find(({ metadata }) => metadata.category === category);
  if (!found) throw new Error(`example.json has no ${category} event`);
  return found;
};

/** The aggregate of the service's own events is the challenge, the group or the device (docs/events/README.md). */
const aggregateOf = (payload: Record<string, unknown>): unknown =>
  payload['challengeId'] ?? payload['groupId'] ?? payload['deviceId'] ?? payload['userId'];

function publicExample({ name, type, version }: EventVersion): Event {
  const { metadata } = exampleOf('public');
  const { examples = [] } = readSchema(`payloads/${name}.json`);
  const payload = examples[0] as Record<string, unknown>;
  return {
    metadata: { ...metadata, aggregateId: aggregateOf(payload), payloadVersion: version, type },
    payload,
  };
}

const eventMessage = (name: string, summary: string, example: Event): Schema => ({
  name,
  title: name,
  summary,
  contentType: 'application/json',
  correlationId: {
    description: 'Connects the events of one transaction or request, where the producer names it.',
    location: '$message.payload#/metadata/traceId',
  },
  payload: ref(`schemas/${name}`),
  examples: [{ name: 'example', payload: example }],
});

const envelopeMessage = (category: 'public' | 'log', [name, title]: [string, string]): Schema => ({
  name,
  title,
  summary:
    "Several events together: the data of a record of a stream, a line of an object, or the body of a webhook's call.",
  contentType: 'application/json',
  payload: ref(`schemas/${name}`),
  examples: [{ name: 'exported', payload: exported[category] }],
});

const challenge = { challenge: 'vN0J1V9OlT3vRrmyZ7zEeg' };

const verificationMessage = (name: string, summary: string, example: object): Schema => ({
  name,
  title: name,
  summary,
  contentType: 'application/json',
  payload: ref(`schemas/${name}`),
  examples: [{ name: 'example', payload: example }],
});

export const asyncApiMessages = (): Record<string, Schema> => ({
  Verification: verificationMessage('Verification', "Asks a webhook's receiver for its proof.", {
    type: 'omi.verification',
    ...challenge,
  }),
  VerificationAnswer: verificationMessage(
    'VerificationAnswer',
    'The body of the answer 200: the same challenge, and nothing else.',
    challenge,
  ),
  PublicEvents: envelopeMessage('public', ['PublicEvents', 'Public events']),
  LogEvents: envelopeMessage('log', ['LogEvents', 'Log events']),
  LogEvent: eventMessage(
    'LogEvent',
    'An entry of the audit trail, of whatever type. Its payload has no contract.',
    exampleOf('log'),
  ),
  ...Object.fromEntries(
    eventVersions.map((version) => [
      version.name,
      eventMessage(version.name, version.description, publicExample(version)),
    ]),
  ),
});
