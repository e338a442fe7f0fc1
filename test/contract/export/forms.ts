/** What arrives, byte for byte and in which order. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { createdEvent, logEvent, type TestEvent } from '../events/event.ts';
import { record } from '../events/recorder.ts';
import { succeeded } from '../expectations.ts';
import { eventsIn, objectsOf, ofAggregate, recordsOf } from './consumer.ts';
import { expectFolder, exportOf } from './scenarios.ts';

export function forms(stack: TestStack): void {
  const tenantId = () => stack.file.tenants[0].tenantId;
  const streamName = () => exportOf(stack.file, 0, 'public').streamName;
  const bucket = () => exportOf(stack.file, 0, 'log').bucket;

  test('arrive in a stream as records of {"events":[…]}, each aggregate in order and in one lane', async () => {
    const aggregates = Array.from({ length: 4 }, () => randomUUID());
    const events: TestEvent[] = [];
    for (let n = 0; n < 5; n += 1) {
      const call = aggregates.map((aggregateId) =>
        createdEvent(tenantId(), { aggregateId }, { userId: `${n}` }),
      );
      succeeded(await record(stack.website, call), 202);
      events.push(...call);
    }
    const records = await recordsOf(stack.file, streamName(), events);
    for (const { data, events: inside } of records) expect(data).toBe(JSON.stringify({ events: inside }));
    for (const id of aggregates) {
      const sent = events.filter(({ metadata }) => 'aggregateId' in metadata && metadata.aggregateId === id);
      expect(ofAggregate(eventsIn(records), id)).toEqual(sent);
      const holding = records.filter((one) => ofAggregate(one.events, id).length > 0);
      expect(new Set(holding.map(({ partitionKey }) => partitionKey)).size).toBe(1);
      expect(new Set(holding.map(({ shardId }) => shardId)).size).toBe(1);
    }
  });

  test('arrive in a bucket with one record on each line, in the folder of hour and category', async () => {
    const since = Date.now();
    const events = Array.from({ length: 5 }, (_, attempt) => logEvent(tenantId(), { attempt }));
    for (const event of events) succeeded(await record(stack.website, [event]), 202);
    const objects = await objectsOf(stack.file, bucket(), events);
    for (const { key, text, lines, events: inside } of objects) {
      expectFolder(key, 'log', since);
      expect(text).toBe(lines.map((line) => `${line}\n`).join(''));
      for (const line of lines) expect(Object.keys(JSON.parse(line) as object)).toEqual(['events']);
      expect(lines.join('')).not.toMatch(/[\r\n]/);
      expect(inside.every(({ metadata }) => metadata.category === 'log')).toBe(true);
    }
    const arrived = new Map(eventsIn(objects).map((event) => [event.metadata.eventId, event]));
    expect(events.map(({ metadata }) => arrived.get(metadata.eventId))).toEqual(events);
  });
}
