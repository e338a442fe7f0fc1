import { randomUUID } from 'node:crypto';
import { ScanCommand, type BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PolledSignals } from '../../../../../core/export/kinds/signals/polled-signal-store.ts';
import { testDatabase } from '../../../../support/dynamodb.ts';

const dayMs = 24 * 3_600_000;
const now = Date.parse('2026-03-02T10:00:00Z');

let client: DynamoDBDocumentClient;
let polled: PolledSignals;
beforeAll(async () => {
  client = await testDatabase({ signals: 'signals' });
  polled = new PolledSignals(client, 'signals');
});

const jtis = (signals: { jti: string }[]): string[] => signals.map(({ jti }) => jti);

async function filled(count: number, at = now): Promise<string> {
  const streamId = randomUUID();
  for (let n = 0; n < count; n += 1)
    await polled.put(streamId, { jti: `id-${String(n).padStart(3, '0')}`, token: `t${n}` }, at);
  return streamId;
}

describe('signals that wait to be polled', () => {
  test('come in the order of their ids, and say whether there are more', async () => {
    const streamId = await filled(3);
    expect(await polled.oldest(streamId, 2, now)).toEqual({
      signals: [
        { jti: 'id-000', token: 't0' },
        { jti: 'id-001', token: 't1' },
      ],
      more: true,
    });
    expect((await polled.oldest(streamId, 3, now)).more).toBe(false);
  });

  test('are kept for 14 days, also while DynamoDB has not deleted them', async () => {
    const streamId = await filled(30);
    await polled.put(streamId, { jti: 'id-later', token: 'later' }, now + dayMs);
    const { Items = [] } = await client.send(new ScanCommand({ TableName: 'signals' }));
    expect(Items.find(({ pk, sk }) => pk === streamId && sk === 'id-000')).toMatchObject({
      ttl: (now + 14 * dayMs) / 1000,
    });
    expect((await polled.oldest(streamId, 1, now + 14 * dayMs - 1_000)).signals).toHaveLength(1);
    const after = await polled.oldest(streamId, 1, now + 14 * dayMs + 1_000);
    expect(after).toEqual({ signals: [{ jti: 'id-later', token: 'later' }], more: false });
  });

  test('replace themselves, and are removed by their ids alone', async () => {
    const streamId = await filled(2);
    await polled.put(streamId, { jti: 'id-001', token: 'again' }, now);
    await polled.remove(streamId, ['id-000', 'id-000', 'unknown']);
    expect(await polled.oldest(streamId, 5, now)).toEqual({
      signals: [{ jti: 'id-001', token: 'again' }],
      more: false,
    });
    await polled.remove(streamId, []);
  });

  test('are removed again after a pause if a throttled table did not remove them, and not without end', async () => {
    const streamId = await filled(3);
    const calls: number[] = [];
    const throttled = (times: number) => {
      const send = async (command: BatchWriteCommand) => {
        calls.push(Date.now());
        if (calls.length > times) return await client.send(command);
        return { UnprocessedItems: command.input.RequestItems };
      };
      return new PolledSignals({ send } as unknown as DynamoDBDocumentClient, 'signals');
    };
    await expect(throttled(Infinity).remove(streamId, ['id-000'])).rejects.toThrow();
    expect(calls.length).toBeLessThan(20);
    expect((calls.at(-1) ?? 0) - (calls[0] ?? 0)).toBeGreaterThan(5);
    calls.length = 0;
    await throttled(2).remove(streamId, ['id-000', 'id-002']);
    expect(jtis((await polled.oldest(streamId, 5, now)).signals)).toEqual(['id-001']);
  });

  test('are waited for by one poll of a stream at a time, and by another when its time is over', async () => {
    const [streamId, other] = [randomUUID(), randomUUID()];
    const [first, second] = ['first', 'second'].map((holder) => ({ holder, until: now + 5_000 }));
    if (!first || !second) throw new Error('two');
    expect(await polled.takePlace(streamId, first, now)).toBe(true);
    expect(await polled.takePlace(streamId, second, now)).toBe(false);
    expect(await polled.takePlace(other, second, now)).toBe(true);
    await polled.leavePlace(streamId, second);
    expect(await polled.takePlace(streamId, second, now)).toBe(false);
    await polled.leavePlace(streamId, first);
    expect(await polled.takePlace(streamId, second, now)).toBe(true);
    expect(await polled.takePlace(streamId, first, now + 5_000)).toBe(true);
    expect(await polled.oldest(streamId, 5, now)).toEqual({ signals: [], more: false });
  });

  test('end with their stream, however many there are, and no others', async () => {
    const [one, other] = [await filled(120), await filled(1)];
    await polled.removeAll(one, now);
    expect(jtis((await polled.oldest(one, 5, now)).signals)).toEqual([]);
    expect(jtis((await polled.oldest(other, 5, now)).signals)).toEqual(['id-000']);
  });
});
