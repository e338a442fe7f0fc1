/** A stack that is killed while webhooks are called loses no event, and changes no order. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { newTenant } from '../cli/commands/tenants.ts';
import { jsonOn } from '../cli/omi.ts';
import { OwnStack } from '../support/own-stack.ts';
import { proving, Receiver, until } from '../support/receiver.ts';
import { eventIdsOf } from '../support/webhook-events.ts';
import { recordEvents } from './permissions/export-operator.ts';

const LONG = 240_000;
const COUNT = 60;
let data = '';
let stack: OwnStack;
let receiver: Receiver;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'omi-data-'));
  receiver = await Receiver.start(proving);
});
afterEach(async () => await stack.stop(), LONG);
afterAll(async () => {
  await receiver.close();
  await rm(data, { recursive: true, force: true });
});

test(
  'they come when it is there again, in order',
  async () => {
    const start = async () => {
      stack = new OwnStack({ dataDirectory: data });
      await stack.start();
    };
    await start();
    const ref: TargetRef = { tenantId: await newTenant(stack), category: 'public' };
    await jsonOn(stack)('target', 'set', 'webhook', ref.tenantId, ref.category, '--url', receiver.url);
    await jsonOn(stack)('target', 'test', ref.tenantId, ref.category);
    receiver.calls.length = 0;
    // Whoever calls does not live to hear an answer.
    receiver.behave = () => undefined;
    const recorded: string[] = [];
    for (const aggregateId of ['a', 'b', 'c'])
      recorded.push(...(await recordEvents(stack, ref, { count: COUNT / 3, aggregateId })));
    await until(() => receiver.calls.length > 0);
    await stack.kill();
    receiver.behave = proving;

    await start();
    await until(() => new Set(eventIdsOf(receiver)).size >= COUNT);
    const arrived = [...new Set(eventIdsOf(receiver))];
    for (let from = 0; from < COUNT; from += COUNT / 3) {
      const ids = recorded.slice(from, from + COUNT / 3);
      expect(arrived.filter((id) => ids.includes(id))).toEqual(ids);
    }
  },
  LONG,
);
