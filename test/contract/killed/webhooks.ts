import { expect } from '@jest/globals';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { newTenant } from '../../cli/commands/tenants.ts';
import { jsonOn } from '../../cli/omi.ts';
import { proving, Receiver } from '../../support/receiver.ts';
import { until } from '../../support/waiting.ts';
import { eventIdsOf } from '../../support/webhook-events.ts';
import { recordEvents } from '../permissions/export-operator.ts';
import type { KilledScene } from './scene.ts';

const count = 60;

export async function webhooks(): Promise<KilledScene> {
  const receiver = await Receiver.start(proving);
  const recorded: string[] = [];
  return {
    begin: async (stack) => {
      const ref: TargetRef = { tenantId: await newTenant(stack), category: 'public' };
      await jsonOn(stack)('target', 'set', 'webhook', ref.tenantId, ref.category, '--url', receiver.url);
      await jsonOn(stack)('target', 'test', ref.tenantId, ref.category);
      receiver.calls.length = 0;
      // Whoever calls does not live to hear an answer.
      receiver.behave = () => undefined;
      for (const aggregateId of ['a', 'b', 'c'])
        recorded.push(...(await recordEvents(stack, ref, { count: count / 3, aggregateId })));
      await until(() => receiver.calls.length > 0);
    },
    whileDead: () => {
      receiver.behave = proving;
    },
    check: async () => {
      await until(() => new Set(eventIdsOf(receiver)).size >= count);
      const arrived = [...new Set(eventIdsOf(receiver))];
      for (let from = 0; from < count; from += count / 3) {
        const ids = recorded.slice(from, from + count / 3);
        expect(arrived.filter((id) => ids.includes(id))).toEqual(ids);
      }
    },
    close: async () => await receiver.close(),
  };
}
