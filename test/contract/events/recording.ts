import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { succeeded } from '../expectations.ts';
import { createdEvent, logEvent } from './event.ts';
import { record, storedWith } from './recorder.ts';

const jsonOf = (events: unknown[]): string[] => events.map((event) => JSON.stringify(event));

export function recording(stack: TestStack): void {
  const tenantId = () => stack.file.tenants[0].tenantId;
  const created = (aggregateId: string, userId = 'alice') =>
    createdEvent(tenantId(), { aggregateId }, { userId });

  test('stores them byte for byte, in the order of their call', async () => {
    const [aggregateId, agent] = [`Käthe 🦊#${randomUUID()}`, randomUUID()];
    const events = [
      created(aggregateId, 'b'),
      logEvent(tenantId(), { attempt: 2, text: 'a/b \u0000 é 🦊 \u2028' }, { agent }),
      created(aggregateId, 'a'),
      logEvent(tenantId(), null, { agent, occurredTime: '2026-03-01T09:30+0100', tags: ['ACCESS'] }),
      created(aggregateId, 'c'),
    ] as const;
    expect(succeeded(await record(stack.website, events), 202)).toEqual({ accepted: 5 });
    expect(await storedWith(stack, events[0])).toEqual(jsonOf([events[0], events[2], events[4]]));
    expect(await storedWith(stack, events[1])).toEqual(jsonOf([events[1], events[3]]));
  });

  test('answers a repeated call the same and stores nothing, even among new events', async () => {
    const aggregateId = randomUUID();
    const events = [created(aggregateId), created(aggregateId)];
    const more = [created(aggregateId), ...events, created(aggregateId)];
    const turned = events.map(({ metadata, payload }) => ({ payload, metadata }));
    for (const call of [events, events, turned, more, more])
      expect(succeeded(await record(stack.website, call), 202)).toEqual({ accepted: call.length });
    expect(await storedWith(stack, created(aggregateId))).toEqual(jsonOf([...events, more[0], more[3]]));
  });
}
