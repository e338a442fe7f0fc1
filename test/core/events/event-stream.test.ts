import { randomUUID } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { eventWrites } from '../../../core/events/event-items.ts';
import { isUnreadable, readStreamRecord, type CommittedEvent } from '../../../core/events/event-stream.ts';
import type { Event, LogEvent, PublicEvent } from '../../../core/events/event.ts';

const tenantId = randomUUID();

const metadata = () => ({
  eventId: randomUUID(),
  metadataVersion: '1.0' as const,
  occurredTime: '2026-01-01T12:00:00+01:00',
  producerId: 'identity',
  producerInstanceId: 'a',
  tenantId,
});

const publicEvent = (aggregateId: string): PublicEvent => ({
  metadata: {
    ...metadata(),
    aggregateId,
    category: 'public',
    payloadVersion: '1.0',
    type: 'UserCreatedEvent',
  },
  payload: { userId: 'Zoë 💥' },
});

const logEvent = (agent?: string): LogEvent => ({
  metadata: {
    ...metadata(),
    ...(agent && { agent }),
    category: 'log',
    description: 'a',
    type: 'LookedUpEvent',
  },
});

/** What the stream shows of events that were recorded together. */
function shown(events: Event[], acceptedAt = Date.now()): DynamoDBRecord[] {
  return eventWrites('events', { tenantId, events, acceptedAt, by: 'platform' }).map(({ Put }) => ({
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: '7',
      ApproximateCreationDateTime: 1_767_268_800,
      NewImage: marshall(Put?.Item ?? {}, { removeUndefinedValues: true }) as Record<string, AttributeValue>,
    },
  }));
}

const read = (records: DynamoDBRecord[]): CommittedEvent[] =>
  records.flatMap((record) => {
    const found = readStreamRecord(record);
    if (isUnreadable(found)) throw new Error(found.reason);
    return found;
  });

const parsed = (events: CommittedEvent[]): unknown[] =>
  events.map(({ event }) => JSON.parse(event) as unknown);

describe('the stream of recorded events', () => {
  test('has every event as it was recorded, with its target and type', () => {
    const events = [publicEvent('a'), logEvent('agent'), logEvent()];
    const found = read(shown(events));
    expect(parsed(found)).toEqual(events);
    expect(found.map(({ ref }) => ref)).toEqual([
      { tenantId, category: 'public' },
      { tenantId, category: 'log' },
      { tenantId, category: 'log' },
    ]);
    expect(found[0]).toMatchObject({
      type: 'UserCreatedEvent',
      checkpoint: '7',
      writtenAt: 1_767_268_800_000,
    });
  });

  test('keeps events of an aggregate, and log events of an agent, under one ordering key, in order', () => {
    const events = [
      publicEvent('a'),
      publicEvent('b'),
      publicEvent('a'),
      logEvent('z'),
      logEvent('z'),
      logEvent(),
    ];
    const found = read(shown(events));
    const byKey = Map.groupBy(found, ({ orderingKey }) => orderingKey);
    const [one, other, third, fourth, fifth, sixth] = events;
    expect([...byKey.values()].map(parsed)).toEqual([[one, third], [other], [fourth, fifth], [sixth]]);
  });

  test('orders events of two calls by their acceptance', () => {
    const [first] = read(shown([publicEvent('a')], 1_000));
    const [second] = read(shown([publicEvent('a')], 1_001));
    expect(first && second && first.sequence < second.sequence).toBe(true);
  });

  test.each([
    ['without a key', 'pk'],
    ['without its place in the order', 'sequence'],
  ])('may have an item that cannot be read: one %s', (_, name) => {
    const [record] = shown([publicEvent('a')]);
    const { [name]: taken, ...image } = record?.dynamodb?.NewImage ?? {};
    expect(taken).toBeDefined();
    const found = readStreamRecord({ ...record, dynamodb: { ...record?.dynamodb, NewImage: image } });
    expect(isUnreadable(found)).toBe(true);
  });

  test.each(['nobody', 'nobody#a', tenantId, `log#${tenantId}`, `${tenantId}-#a`, `log#log#${tenantId}#a`])(
    'may have an item that cannot be read: one of %s, whose key names no target',
    (pk) => {
      const [record] = shown([publicEvent('a')]);
      const NewImage = { ...record?.dynamodb?.NewImage, pk: { S: pk } };
      expect(readStreamRecord({ ...record, dynamodb: { ...record?.dynamodb, NewImage } })).toMatchObject({
        reason: 'pk names no target',
      });
    },
  );

  test('skips items that only reserve an id', () => {
    const records = shown([publicEvent('a'), publicEvent('a'), publicEvent('b')]);
    expect(records.map((record) => read([record]).length)).toEqual([2, 0, 1]);
  });
});
