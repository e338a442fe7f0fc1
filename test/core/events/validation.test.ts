import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reservedTypes } from '../../../core/events/catalogue.ts';
import { eventFaults as faultsOfEvent } from '../../../core/events/validation.ts';
import { anyEvent, logEvent, occurredTime, publicEvent } from '../../support/event-arbitraries.ts';
import { isPublishedEvent } from '../../support/published-schemas.ts';

const eventFaults = (event: unknown, pointer: string) => [...faultsOfEvent(event, pointer)];

const tenantId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

type Members = Record<string, unknown>;
type Given = { metadata: Members; payload?: unknown };

const pointersOf = (event: unknown): string[] =>
  eventFaults(event, '/events/7').map(({ pointer }) => pointer);

const sample: Given = {
  metadata: {
    aggregateId: 'alice',
    category: 'public',
    eventId: '0197f2a4-5c1e-7b3a-9d42-1f0e8a6b7c55',
    metadataVersion: '1.0',
    occurredTime: '2026-03-01T09:30:00.123+01:00',
    payloadVersion: '1.0',
    producerId: 'identity',
    producerInstanceId: 'identity-1',
    tenantId,
    type: 'UserCreatedEvent',
  },
  payload: { userId: 'alice' },
};
const withField = (event: Given, name: string, value: unknown): Given => ({
  ...event,
  metadata: { ...event.metadata, [name]: value },
});
const without = (event: Given, name: string): Given => ({
  ...event,
  metadata: Object.fromEntries(Object.entries(event.metadata).filter(([field]) => field !== name)),
});

/** A type of so many characters. */
const typeOf = (length: number): string => `${'A'.padEnd(length - 'Event'.length, 'x')}Event`;

const logSample = Object.entries({ category: 'log', description: 'x', type: 'PasswordRefusedEvent' }).reduce(
  (event, [name, value]) => withField(event, name, value),
  without(without({ metadata: sample.metadata }, 'aggregateId'), 'payloadVersion'),
);

describe('a valid event', () => {
  test('has no faults, in this check or by the published schemas', () => {
    fc.assert(
      fc.property(anyEvent(tenantId), (event) => {
        expect(eventFaults(event, '')).toEqual([]);
        expect(isPublishedEvent(event)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test.each([null, 'text', 5, [], [1], { any: { thing: [] } }])(
    'may have any payload in the category log: %j',
    (payload) => {
      expect(eventFaults({ ...logSample, payload }, '')).toEqual([]);
    },
  );

  test('may have a type of 128 characters in the log', () => {
    expect(eventFaults(withField(logSample, 'type', typeOf(128)), '')).toEqual([]);
  });
});

describe('the place of a fault', () => {
  const fields = [...Object.keys(sample.metadata), 'agent', 'hostIp', 'producerVersion', 'tags', 'traceId'];

  test.each(Object.keys(sample.metadata))('is named in a public event without %s', (name) => {
    expect(pointersOf(without(sample, name))).toEqual([`/events/7/metadata/${name}`]);
  });

  test.each(Object.keys(logSample.metadata))('is named in a log event without %s', (name) => {
    expect(pointersOf(without(logSample, name))).toEqual([`/events/7/metadata/${name}`]);
  });

  test.each(fields)('is named when %s has another type', (name) => {
    const other = fc.constantFrom(null, 1, true, {}, [[]], ['alice'], 1.5);
    fc.assert(
      fc.property(other, (value) => {
        expect(pointersOf(withField(sample, name, value))).toContainEqual(
          expect.stringMatching(`^/events/7/metadata/${name}(/0)?$`),
        );
      }),
    );
  });

  test.each([
    ['aggregateId', ''],
    ['aggregateId', 'a'.repeat(501)],
    ['aggregateId', 'half of a pair: \ud83e'],
    ...['\0', 'a\n', '\u007f', '\u0085', '\ufdd0', '\uffff', '\u{1ffff}', '\u{10fffe}'].map(
      (id): [string, string] => ['aggregateId', id],
    ),
    ['agent', ''],
    ['category', 'audit'],
    ['eventId', '0197f2a4-5c1e-7b3a-9d42-1f0e8a6b7c5'],
    ['eventId', 'urn:uuid:0197f2a4-5c1e-7b3a-9d42-1f0e8a6b7c55'],
    ['hostIp', '256.1.1.1'],
    ['hostIp', 'example.com'],
    ['hostIp', 'fe80::1%eth0'],
    ['hostIp', '192.0.2.1/24'],
    ['metadataVersion', '1.1'],
    ['payloadVersion', '1'],
    ['payloadVersion', '2.0'],
    ['producerId', ''],
    ['tenantId', 'tenant'],
    ['tags', ['ACCESS', 'FASHION']],
    ['type', 'userSignedInEvent'],
    ['type', 'UserSignedIn'],
    ['type', 'User_SignedInEvent'],
    ['type', 'Event'],
    ['type', 'SomethingElseEvent'],
  ])('is named when %s is %j', (name, value) => {
    const [pointer, ...others] = pointersOf(withField(sample, name, value));
    expect(pointer).toBe(`/events/7/metadata/${name}${name === 'tags' ? '/1' : ''}`);
    expect(others).toEqual([]);
  });

  test.each([
    ['an unknown field', withField(sample, 'severity', 1), '/metadata/severity'],
    ['a field of a log event', withField(sample, 'description', 'x'), '/metadata/description'],
    ['a field of a public event', withField(logSample, 'aggregateId', 'alice'), '/metadata/aggregateId'],
    ['a type that EventBridge does not take', withField(logSample, 'type', typeOf(129)), '/metadata/type'],
    ['a third part', { ...sample, extra: 1 }, '/extra'],
    ['a payload that is not an object', { ...sample, payload: ['alice'] }, '/payload'],
    ['no payload', { metadata: sample.metadata }, '/payload'],
    ['no metadata', { payload: sample.payload }, '/metadata'],
    ['an incomplete payload', { ...sample, payload: {} }, '/payload/userId'],
    ['an unknown field in the payload', { ...sample, payload: { userId: 'alice', age: 5 } }, '/payload/age'],
  ])('is named in an event with %s', (_, event, place) => {
    expect(pointersOf(event)).toEqual([`/events/7${place}`]);
  });

  test.each([null, 'text', 5, [], true])('is named in an event that is %j', (event) => {
    expect(pointersOf(event)).toEqual(['/events/7']);
  });

  test('is named with every other fault, in both categories', () => {
    const many = { hostIp: 'nowhere', producerId: 5, extra: 1, tenantId: undefined };
    const places = Object.keys(many).map((name) => `/events/7/metadata/${name}`);
    for (const event of [sample, logSample, withField(sample, 'category', 'audit')]) {
      const faulty = {
        ...event,
        metadata: JSON.parse(JSON.stringify({ ...event.metadata, ...many })) as unknown,
      };
      expect(pointersOf(faulty)).toEqual(expect.arrayContaining(places));
    }
  });
});

describe('the fault of an unknown name', () => {
  test('lists the known types', () => {
    expect(eventFaults(withField(sample, 'type', 'SomethingElseEvent'), '')).toEqual([
      {
        pointer: '/metadata/type',
        detail: expect.stringMatching(/UserBlockedEvent, UserCreatedEvent, UserSignedInEvent$/),
      },
    ]);
  });

  test('lists the known versions of its type', () => {
    expect(eventFaults(withField(sample, 'payloadVersion', '2.0'), '')).toEqual([
      { pointer: '/metadata/payloadVersion', detail: 'expected one of 1.0' },
    ]);
  });

  test('is not reported for a reserved type, which other callers need not know', () => {
    for (const type of reservedTypes) expect(eventFaults(withField(sample, 'type', type), '')).toEqual([]);
  });
});

describe('a time', () => {
  const faultsOf = (time: string) => eventFaults(withField(sample, 'occurredTime', time), '');

  test('may have any spelling of ISO 8601 with an offset', () => {
    fc.assert(
      fc.property(occurredTime, (time) => expect(faultsOf(time)).toEqual([])),
      { numRuns: 300 },
    );
  });

  test.each(['2024-02-29T00:00Z', '2000-02-29T23:59:59Z', '2026-12-31T23:59:59.999999999-11:30'])(
    'may be %s',
    (time) => {
      expect(faultsOf(time)).toEqual([]);
    },
  );

  test.each([
    ['without an offset', '2026-03-01T09:30:00'],
    ['without a time', '2026-03-01'],
    ['in a month that does not exist', '2026-13-01T00:00:00Z'],
    ['on a day that does not exist', '2026-02-30T00:00:00Z'],
    ['on the leap day of another year', '2026-02-29T00:00:00Z'],
    ['on the leap day of 1900', '1900-02-29T00:00:00Z'],
    ['in a leap second, which RFC 3339 readers refuse', '2016-12-31T23:59:60Z'],
    ['at hour 24', '2026-03-01T24:00:00Z'],
    ['with an offset of a day', '2026-03-01T09:30:00+24:00'],
    ['of RFC 3339 but not ISO 8601', '2026-03-01t09:30:00z'],
    ['with a space', '2026-03-01 09:30:00Z'],
    ['with a line break after it', '2026-03-01T09:30:00Z\n'],
    ['in words', 'Sun, 01 Mar 2026 09:30:00 GMT'],
    ['as a number', '1772353800'],
  ])('may not be %s', (_, time) => {
    expect(faultsOf(time)).toEqual([
      { pointer: '/metadata/occurredTime', detail: expect.stringContaining('ISO 8601') },
    ]);
  });
});

/** Puts another value at any place of the event, or takes away what is there. */
const changed = (event: fc.Arbitrary<object>): fc.Arbitrary<unknown> =>
  fc
    .record({
      event,
      part: fc.constantFrom('metadata', 'payload'),
      name: fc.oneof(
        fc.constantFrom(...Object.keys(sample.metadata), 'hostIp', 'tags', 'userId', 'reason'),
        fc.string(),
      ),
      value: fc.oneof(
        fc.constant(undefined),
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom('public', 'log', '1.0', '', tenantId),
        fc.ipV6(),
        fc.ipV4Extended(),
        occurredTime,
      ),
    })
    .map(({ event, part, name, value }) => {
      const copy = structuredClone(event) as Record<string, unknown>;
      const inside = copy[part];
      // A list has no member to set: `length` alone would throw.
      if (typeof inside === 'object' && inside !== null && !Array.isArray(inside))
        Object.assign(inside, { [name]: value });
      else copy[part] = value;
      return JSON.parse(JSON.stringify(copy)) as unknown;
    });

test('the service accepts exactly what the published schemas describe, by another validator of them', () => {
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(changed(publicEvent(tenantId)), changed(logEvent(tenantId))), (event) => {
      const accepted = eventFaults(event, '').length === 0;
      verdicts[accepted ? 'accepted' : 'refused'] += 1;
      expect(accepted).toBe(isPublishedEvent(event));
    }),
    { numRuns: 1500 },
  );
  expect(Math.min(verdicts.accepted, verdicts.refused)).toBeGreaterThan(100);
});
