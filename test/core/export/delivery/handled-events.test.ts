import { describe, expect, test } from '@jest/globals';
import type { CommittedEvent } from '../../../../core/events/event-stream.ts';
import { streamName } from '../../../../core/events/target-ref.ts';
import { HandledEvents } from '../../../../core/export/delivery/handled-events.ts';
import type { StreamDestination } from '../../../../core/export/kinds/stream/record.ts';

const destination: StreamDestination = {
  kind: 'stream',
  streamArn: 'arn:aws:kinesis:eu-central-1:000000000000:stream/events',
  roleArn: 'arn:aws:iam::000000000000:role/writer',
  externalId: 'an-external-id',
  lanes: 1,
};
const target = { category: 'public', destination } as const;

const eventAt = (sequence: number): CommittedEvent => ({
  ref: { tenantId: 'tenant', category: 'public' },
  orderingKey: 'tenant#a',
  sequence: String(sequence),
  ...{ event: '{}', type: 'TestEvent', checkpoint: String(sequence), writtenAt: 0 },
});

describe('the memory of handled events', () => {
  test('knows what became of an event at its destination', () => {
    const handled = new HandledEvents();
    expect(handled.of(target, eventAt(1))).toBeUndefined();
    handled.add(target, [eventAt(1)], 'delivered');
    handled.add(target, [eventAt(2)], 'kept');
    expect(handled.of(target, eventAt(1))).toBe('delivered');
    expect(handled.of(target, eventAt(2))).toBe('kept');
    expect(handled.of(target, eventAt(3))).toBeUndefined();
    expect(handled.of({ ...target, destination: { ...destination, lanes: 2 } }, eventAt(1))).toBeUndefined();
  });

  test('knows it of each of several targets of an event', () => {
    const handled = new HandledEvents();
    const stream = { category: streamName('0199c0de-0001-7000-8000-000000000001'), destination };
    handled.add(target, [eventAt(1)], 'delivered');
    expect(handled.of(stream, eventAt(1))).toBeUndefined();
    handled.add(stream, [eventAt(1)], 'kept');
    expect(handled.of(target, eventAt(1))).toBe('delivered');
    expect(handled.of(stream, eventAt(1))).toBe('kept');
  });

  test('forgets old batches before it grows without end', () => {
    const handled = new HandledEvents();
    for (let batch = 0; batch < 11; batch += 1) {
      const events = Array.from({ length: 1_000 }, (_, index) => eventAt(batch * 1_000 + index));
      handled.add(target, events, 'delivered');
    }
    expect(handled.of(target, eventAt(0))).toBeUndefined();
    expect(handled.of(target, eventAt(10_000))).toBe('delivered');
  });
});
