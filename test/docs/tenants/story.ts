/** Events that a reader may meet, and what the examples make of each. */
import { randomUUID } from 'node:crypto';
import type { AnyEvent } from './exported.ts';

export type Told = { event: AnyEvent; what: string };

export const eventsOf = (told: Told[]): AnyEvent[] => told.map(({ event }) => event);

/** U+2028 ends a line for many a program, and is a character of a text for JSON. */
const awkward = 'https://shop.example.com/Größe\u2028🔑\u0085"\\n';

const metadata = (tenantId: string, category: string) => ({
  category,
  eventId: randomUUID().toUpperCase(),
  metadataVersion: '1.0',
  occurredTime: '2026-03-01T09:30:00.123+01:00',
  producerId: 'identity',
  producerInstanceId: 'identity-1',
  tenantId,
});

type Change = { type?: string; version?: string; metadata?: object; payload?: object };

function publicEvent(tenantId: string, aggregateId: string, change: Change = {}): AnyEvent {
  const { type = 'UserSignedInEvent', version = '1.0' } = change;
  return {
    metadata: {
      ...metadata(tenantId, 'public'),
      aggregateId,
      payloadVersion: version,
      type,
      ...change.metadata,
    },
    payload: { userId: aggregateId, identityProviderId: 'idp', destination: awkward, ...change.payload },
  };
}

/** An aggregate's public events, today's and those of later versions of the service. */
export const publicStory = (tenantId: string, aggregateId: string): Told[] => {
  const event = (change?: Change) => publicEvent(tenantId, aggregateId, change);
  return [
    { what: 'signed in', event: event() },
    { what: 'signed in', event: event({ version: '1.12', payload: { risk: { score: 0.5 } } }) },
    { what: 'not known', event: event({ version: '2.0', payload: { userId: { id: 'alice' } } }) },
    { what: 'not known', event: event({ version: '10.0' }) },
    { what: 'not known', event: event({ type: 'UserRenamedEvent' }) },
    { what: 'not known', event: event({ type: 'ConstructorEvent' }) },
    { what: 'confirmed', event: event({ type: 'PushNotificationConfirmedEvent' }) },
    { what: 'signed in', event: event({ metadata: { metadataVersion: '1.1', region: 'eu' } }) },
    { what: 'not known', event: event({ metadata: { metadataVersion: '2.0' } }) },
    { what: 'denied', event: event({ type: 'PushNotificationDeniedEvent' }) },
  ];
};

/** An event of an aggregate at some time, as its producer wrote it. */
export const publicEventAt = (tenantId: string, aggregateId: string, occurredTime: string): AnyEvent =>
  publicEvent(tenantId, aggregateId, { metadata: { occurredTime } });

/** The audit trail, with all that a payload may be. */
export const logStory = (tenantId: string): Told[] =>
  [{ payload: { attempt: 2 } }, { payload: null }, { payload: ['a', 1] }, { payload: awkward }, {}].map(
    (rest) => ({
      what: 'audit',
      event: {
        metadata: {
          ...metadata(tenantId, 'log'),
          agent: 'alice',
          description: 'The password was wrong',
          type: 'PasswordRefusedEvent',
        },
        ...rest,
      },
    }),
  );

/** A line that an example prints. */
export type Printed = { what: string; type: string; id: string; payload?: unknown };

export const printed = (output: string): Printed[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Printed);

/** What the examples print for it. Python's say `null` where there is no payload. */
export const asPrinted = ({ event: { metadata, payload }, what }: Told): Printed => ({
  what,
  type: String(metadata['type']),
  id: metadata.eventId,
  ...(payload !== undefined && { payload }),
});
