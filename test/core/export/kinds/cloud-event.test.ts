import { describe, expect, test } from '@jest/globals';
import { CloudEvent, type CloudEventV1 } from 'cloudevents';
import { cloudEvent, cloudEventBatch } from '../../../../core/export/kinds/cloud-event.ts';

const source = 'https://omi.example.com/0197f2a4-5bd0-7e11-8c3d-94d2b1a0f6e3';
const metadata = {
  eventId: '0197f2a4-5bd0-7e11-8c3d-94d2b1a0f6e4',
  occurredTime: '2026-03-01T09:30:00.123+01:00',
  type: 'UserCreatedEvent',
};
const textOf = (changes: object): string =>
  `{"metadata":${JSON.stringify({ ...metadata, ...changes })},"payload":{"n":12345678901234567890.10}}`;
const read = (text: string) => new CloudEvent(JSON.parse(text) as CloudEventV1<unknown>);

describe('a CloudEvent', () => {
  test('is valid, and names the event, its type, its aggregate and who writes it', () => {
    const event = read(cloudEvent(textOf({ aggregateId: 'user "1"' }), source));
    expect(event.validate()).toBe(true);
    expect(event).toMatchObject({
      id: metadata.eventId,
      source,
      type: metadata.type,
      subject: 'user "1"',
      specversion: '1.0',
    });
  });

  test('has no subject if the event has no aggregate', () => {
    expect(cloudEvent(textOf({}), source)).not.toContain('subject');
  });

  test('contains the event as it was recorded, with numbers that JavaScript cannot hold', () => {
    const [first, second] = [textOf({}), textOf({ aggregateId: 'a,"}{' })];
    expect(cloudEvent(first, source).endsWith(`,"data":${first}}`)).toBe(true);
    const batch = cloudEventBatch(Buffer.from(`{"events":[${first},${second}]}`), source);
    expect(batch.toString()).toBe(`[${cloudEvent(first, source)},${cloudEvent(second, source)}]`);
  });

  test.each([
    ['2026-03-01T09:30:00.123+01:00', '2026-03-01T09:30:00.123+01:00'],
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00Z'],
    ['2026-03-01T09:30:01,5+0130', '2026-03-01T09:30:01.5+01:30'],
    ['2026-03-01T09:30:59-05', '2026-03-01T09:30:59-05:00'],
  ])('has the time %s in the form of RFC 3339: %s', (occurredTime, time) => {
    const text = cloudEvent(textOf({ occurredTime }), source);
    expect(JSON.parse(text)).toMatchObject({ time });
    expect(read(text).validate()).toBe(true);
  });
});
