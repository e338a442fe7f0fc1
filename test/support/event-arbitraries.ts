import fc from 'fast-check';
import type { Event, LogEvent, PublicEvent } from '../../core/events/event.ts';
import logSchema from '../../core/events/schemas/log-event-1.0.json' with { type: 'json' };
import { anyCharacter } from './any-character.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** Text of any characters, from controls to emoji. */
const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 30 });

const offset = fc.oneof(
  fc.constant('Z'),
  fc
    .tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59), fc.constantFrom('h', 'h:m', 'hm'))
    .map(([sign, hour, minute, form]) => sign + form.replace('h', two(hour)).replace('m', two(minute))),
);

/** Every spelling that producers' libraries give an ISO 8601 time with its offset. */
export const occurredTime = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.constantFrom('', ':s', ':s.f', ':s,f'),
    fc.stringMatching(/^\d{1,9}$/),
    offset,
  )
  .map(
    ([date, seconds, fraction, zone]) =>
      date.toISOString().slice(0, 16) +
      seconds.replace('s', two(date.getUTCSeconds())).replace('f', fraction) +
      zone,
  );

const optional = ['agent', 'hostIp', 'producerVersion', 'tags', 'traceId'] as const;
const allTags = logSchema.properties.metadata.properties.tags.items.enum;

const fields = (tenantId: string) => ({
  agent: text,
  eventId: fc.uuid(),
  hostIp: fc.oneof(fc.ipV4(), fc.ipV6()),
  metadataVersion: fc.constant('1.0' as const),
  occurredTime,
  producerId: text,
  producerInstanceId: text,
  producerVersion: text,
  tenantId: fc.constant(tenantId),
  tags: fc.subarray(allTags),
  traceId: text,
});

const payloads = {
  UserSignedInEvent: fc.record({ userId: text, identityProviderId: text, destination: text }),
  UserCreatedEvent: fc.record({ userId: text }),
  UserBlockedEvent: fc.record({ userId: text, reason: text }, { requiredKeys: ['userId'] }),
};

const required = <Fields extends object>(of: Fields) =>
  Object.keys(of).filter((name) => !(optional as readonly string[]).includes(name)) as (keyof Fields)[];

/** Public events of one of a few aggregates, so that they share them. */
export function publicEvent(tenantId: string): fc.Arbitrary<PublicEvent> {
  const events = Object.entries(payloads).map(([type, payload]) => {
    const its = {
      ...fields(tenantId),
      aggregateId: fc.constantFrom('alice', 'bob', 'Käthe 🦊', 'a#b/c'),
      category: fc.constant('public' as const),
      payloadVersion: fc.constant('1.0'),
      type: fc.constant(type),
    };
    return fc.record({ metadata: fc.record(its, { requiredKeys: required(its) }), payload });
  });
  return fc.oneof(...events);
}

export function logEvent(tenantId: string): fc.Arbitrary<LogEvent> {
  const its = {
    ...fields(tenantId),
    category: fc.constant('log' as const),
    description: text,
    type: fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,20}Event$/),
  };
  const metadata = fc.record(its, { requiredKeys: required(its) });
  const payload = fc.jsonValue({ stringUnit: anyCharacter });
  return fc.record({ metadata, payload }, { requiredKeys: ['metadata'] });
}

export const anyEvent = (tenantId: string): fc.Arbitrary<Event> =>
  fc.oneof(publicEvent(tenantId), logEvent(tenantId));

/** The events of a call: no id twice. */
export const callOf = (tenantId: string, maxLength = 12): fc.Arbitrary<Event[]> =>
  fc.uniqueArray(anyEvent(tenantId), {
    minLength: 1,
    maxLength,
    selector: ({ metadata }) => metadata.eventId,
  });
