import { describe, expect, test } from '@jest/globals';
import { ownLogTypes, ownPublicTypes } from '../../../core/events/own-events.ts';
import { publicTypes } from '../../../core/events/public-types.ts';
import { hasSample, sampleEvent, sampleTypes } from '../../../core/events/sample-event.ts';
import { isPublishedEvent } from '../../support/published-schemas.ts';

const tenantId = '0199c0de-0000-7000-8000-000000000001';
const eventId = '0199c0de-0001-7000-8000-00000000000a';
const now = Date.UTC(2026, 2, 2, 9);

const sampleOf = (category: 'public' | 'log', type: string) =>
  sampleEvent({ tenantId, category, type, eventId }, now);

describe('a sample', () => {
  test('exists of each public type', () => {
    expect(sampleTypes({ category: 'public' }).toSorted()).toEqual(publicTypes);
  });

  test.each([
    ...publicTypes.map((type) => ['public', type] as const),
    ['log', 'PasswordRefusedEvent'] as const,
  ])(
    'is what a published schema allows, says that it is a test, and names no real user: %s %s',
    (category, type) => {
      const sample = sampleOf(category, type);
      expect(isPublishedEvent(sample)).toBe(true);
      expect(sample.metadata).toMatchObject({
        ...{ producerId: 'omi-test', agent: 'omi-test', tenantId, eventId, type, category },
        occurredTime: '2026-03-02T09:00:00.000Z',
      });
      expect(JSON.stringify(sample)).not.toMatch(/"(alice|bob|carol|anna@shop)"/);
    },
  );

  test('is about what events of its type are about', () => {
    const about = (type: string) =>
      (sampleOf('public', type).metadata as { aggregateId: string }).aggregateId;
    const payloadOf = (type: string) => sampleOf('public', type).payload as Record<string, string>;
    for (const type of ownPublicTypes) {
      const { challengeId, deviceId, groupId } = payloadOf(type);
      const [expected] = type.startsWith('User') ? [deviceId] : [groupId ?? challengeId];
      expect(about(type)).toBe(expected);
    }
    expect(about('UserCreatedEvent')).toBe(payloadOf('UserCreatedEvent')['userId']);
  });

  test('exists of the types of the export alone', () => {
    const types = ['UserCreatedEvent', 'LaterEvent'];
    expect(sampleTypes({ category: 'public', types })).toEqual(['UserCreatedEvent']);
    expect(sampleTypes({ category: 'log', types: ['PasswordRefusedEvent'] })).toEqual([
      'PasswordRefusedEvent',
    ]);
    expect(hasSample({ category: 'log', types: ['PasswordRefusedEvent'] }, 'InvoiceOpenedEvent')).toBe(false);
  });

  test('the sample of a log event may have any type but that of a checkpoint, which readers believe', () => {
    expect(sampleTypes({ category: 'log' })).toEqual(
      ownLogTypes.filter((type) => type !== 'CheckpointEvent'),
    );
    expect(hasSample({ category: 'log' }, 'InvoiceOpenedEvent')).toBe(true);
    for (const type of ['CheckpointEvent', 'invoice', 'constructor', 'Opened'])
      expect(hasSample({ category: 'log' }, type)).toBe(false);
    expect(hasSample({ category: 'public' }, 'constructor')).toBe(false);
  });
});
