/** What the document says of events must be what the service accepts: no less, and no more. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Event } from '../../core/events/event.ts';
import { readEvents } from '../../core/events/read-events.ts';
import record from '../../docs/events/example.json' with { type: 'json' };
import { anyEvent, callOf } from '../support/event-arbitraries.ts';
import { expectSchema } from '../support/openapi.ts';

const tenantId = randomUUID();

const passes = (check: () => unknown): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

const isDocumented = (call: unknown): boolean => passes(() => expectSchema('RecordRequest', call));
const isAccepted = (call: unknown): boolean => passes(() => readEvents(call, tenantId));

const expectAgreement = (call: unknown) =>
  expect([call, isDocumented(call)]).toEqual([call, isAccepted(call)]);

type Open = { metadata: Record<string, unknown>; payload?: unknown };

const fieldNames = [
  ...['agent', 'aggregateId', 'category', 'description', 'eventId', 'hostIp', 'metadataVersion'],
  ...['occurredTime', 'payloadVersion', 'producerId', 'producerInstanceId', 'producerVersion'],
  ...['tags', 'traceId', 'type', 'unknown'],
];
const values = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    1,
    '',
    'x',
    [],
    ['ACCESS'],
    ['other'],
    {},
    '1.0',
    '2.0',
    'public',
  ),
  fc.constantFrom('log', 'UserCreatedEvent', 'UserSignedInEvent', 'UserBlockedEvent', 'OrderPaidEvent'),
  fc.constantFrom('192.0.2.1', '192.0.2.256', '2001:db8::1', 'fe80::1%eth0', '2026-03-01T09:30:00Z'),
);

/** As JSON carries it: a member that is `undefined` is gone. */
const asSent = (event: Open): Open => JSON.parse(JSON.stringify(event)) as Open;

const anotherField = (event: Event) =>
  fc
    .tuple(fc.constantFrom(...fieldNames), values)
    .map(([name, value]) => asSent({ ...event, metadata: { ...event.metadata, [name]: value } }));

const anotherPayload = (event: Event) =>
  fc
    .constantFrom<unknown>(undefined, 'text', {}, { userId: 'a' }, { userId: '' }, { userId: 'a', reason: 1 })
    .map((payload) => asSent({ ...event, payload }));

describe('a call that records events', () => {
  test('is documented if the service accepts it', () => {
    fc.assert(
      fc.property(callOf(tenantId), (events) => expect(isDocumented({ events })).toBe(true)),
      { numRuns: 100 },
    );
  });

  test('is documented with another value, one member more or one fewer, exactly if the service accepts it', () => {
    const changed = anyEvent(tenantId).chain((event) =>
      fc.oneof({ weight: 4, arbitrary: anotherField(event) }, anotherPayload(event)),
    );
    fc.assert(
      fc.property(changed, (event) => expectAgreement({ events: [event] })),
      { numRuns: 1_000 },
    );
  });

  test.each([
    ['nothing', {}],
    ['no events', { events: [] }],
    ['events that are not a list', { events: {} }],
    ['other members', { ...record, more: 1 }],
    ['one member more in an event', { events: [{ ...record.events[0], more: 1 }] }],
    ['entries that are not events', { events: ['text', null] }],
  ])('is neither documented nor accepted with %s', (_, call) => {
    expect([isDocumented(call), isAccepted(call)]).toEqual([false, false]);
  });

  test.each([1, 100, 101])('agrees with the documented limit for %i events', (length) => {
    const [event] = record.events;
    const events = Array.from({ length }, () => ({
      ...event,
      metadata: { ...event?.metadata, eventId: randomUUID(), tenantId },
    }));
    const isWithin = length <= 100;
    expect([isDocumented({ events }), isAccepted({ events })]).toEqual([isWithin, isWithin]);
  });
});
