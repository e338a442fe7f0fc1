import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Receiver } from '../../../core/callbacks/receiver.ts';
import { CallSlotStore, type CallSlot } from '../../../core/callbacks/call-slot-store.ts';
import { WaitingStore, type WaitingRef } from '../../../core/callbacks/waiting-store.ts';
import { testDatabase } from '../../support/dynamodb.ts';

let client: DynamoDBDocumentClient;
let clientId: string;

beforeAll(async () => {
  client = await testDatabase({ attempts: 'attempts-of-callbacks' });
});
beforeEach(() => {
  clientId = randomUUID();
});

describe('waiting callbacks', () => {
  const store = () => new WaitingStore(client, 'attempts-of-callbacks');
  const until = 100_000;
  const refOf = (challengeId: string, kind: WaitingRef['kind'] = 'callback'): WaitingRef => ({
    kind,
    clientId,
    challengeId,
    until,
  });
  const count = async (kind: WaitingRef['kind'], now = 50_000) =>
    await store().count({ kind, clientId }, now);

  test('are counted for each receiver', async () => {
    await store().save(refOf('a'), { attempts: 1, nextAt: 5 }, 1);
    await store().note(refOf('b'), 1);
    await store().note(refOf('a', 'ping'), 1);
    expect(await count('callback')).toBe(2);
    await store().remove(refOf('a'));
    await store().remove(refOf('a'));
    expect(await count('callback')).toBe(1);
    expect(await count('ping')).toBe(1);
  });

  test('are no longer counted after their confirmation is deleted', async () => {
    await store().save(refOf('a'), { attempts: 1, nextAt: 5 }, 1);
    await store().note(refOf('b'), 1);
    expect(await count('callback', until - 1_000)).toBe(2);
    expect(await count('callback', until)).toBe(0);
  });

  test('keep their progress', async () => {
    expect(await store().find(refOf('a'))).toBeUndefined();
    await store().note(refOf('a'), 3);
    expect(await store().find(refOf('a'))).toEqual({ attempts: 0, nextAt: 3 });
    await store().save(refOf('a'), { attempts: 2, nextAt: 9 }, 4);
    await store().note(refOf('a'), 5);
    expect(await store().find(refOf('a'))).toEqual({ attempts: 2, nextAt: 9 });
  });
});

describe('slots', () => {
  const receiver = (state: Receiver['state']) => ({ clientId, state }) as Receiver;
  const takeAll = async (state: Receiver['state'], now: number): Promise<CallSlot[]> => {
    const store = new CallSlotStore(client, 'attempts-of-callbacks');
    const slots: CallSlot[] = [];
    // From each number on, so that no free slot is missed.
    for (let first = 0; first < 1; first += 0.05) {
      const slot = await store.take(receiver(state), now, () => first);
      if (slot) slots.push(slot);
    }
    return slots;
  };

  test.each([
    ['active', 20],
    ['failing', 2],
  ] as const)("are limited by the receiver's state: %s allows %i", async (state, count) => {
    const slots = await takeAll(state, 1_000);
    expect(new Set(slots.map(({ sk }) => sk)).size).toBe(count);
    expect(await takeAll(state, 2_000)).toEqual([]);
  });

  test('are searched with a few reads, so that a busy receiver costs little', async () => {
    const store = new CallSlotStore(client, 'attempts-of-callbacks');
    const take = async () => await store.take(receiver('active'), 1_000, () => 0);
    expect([await take(), await take(), await take()]).toMatchObject([{ sk: '0' }, { sk: '1' }, { sk: '2' }]);
    expect(await take()).toBeUndefined();
  });

  test('are free again when released, or when a Lambda that died held them too long', async () => {
    const store = new CallSlotStore(client, 'attempts-of-callbacks');
    const [first] = await takeAll('failing', 1_000);
    if (first) await store.release(first);
    expect(await takeAll('failing', 2_000)).toHaveLength(1);
    expect(await takeAll('failing', 15_999)).toHaveLength(0);
    expect(await takeAll('failing', 16_000)).toHaveLength(1);
  });

  test('cannot be released by a call that lost them to another one', async () => {
    const store = new CallSlotStore(client, 'attempts-of-callbacks');
    const [late] = await takeAll('failing', 1_000);
    await takeAll('failing', 20_000);
    if (late) await store.release(late);
    expect(await takeAll('failing', 21_000)).toHaveLength(0);
  });
});
