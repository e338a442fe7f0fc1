import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Store } from '#website';
import { valueStore } from '../../../../pages/bank/lambda/value-store.ts';
import { demoDatabase, table } from './tables.ts';

let now = Date.parse('2026-03-02T10:00:00.000Z');
let client: DynamoDBDocumentClient;
let store: Store;

beforeAll(async () => {
  client = await demoDatabase();
  store = valueStore(client, { table, now: () => now });
});

describe('a value', () => {
  test('can be read any number of times, and taken once', async () => {
    await store.put('read', '{"a":"é ☕"}', { ttlSeconds: 60 });
    expect(await store.get('read')).toBe('{"a":"é ☕"}');
    expect(await store.get('read')).toBe('{"a":"é ☕"}');
    expect(await store.take('read')).toBe('{"a":"é ☕"}');
    expect(await store.take('read')).toBeUndefined();
    expect(await store.get('read')).toBeUndefined();
  });

  test('is undefined if it was never stored', async () => {
    expect(await store.get('none')).toBeUndefined();
    expect(await store.take('none')).toBeUndefined();
  });

  test('is taken by exactly one of several concurrent callers on different servers', async () => {
    for (let round = 0; round < 5; round += 1) {
      await store.put('race', String(round), { ttlSeconds: 60 });
      const servers = Array.from({ length: 8 }, () => valueStore(client, { table, now: () => now }));
      const taken = await Promise.all(servers.map(async (one) => await one.take('race')));
      expect(taken.filter((value) => value !== undefined)).toEqual([String(round)]);
    }
  });

  test('is replaced by a later one', async () => {
    await store.put('again', 'first', { ttlSeconds: 60 });
    await store.put('again', 'second', { ttlSeconds: 60 });
    expect(await store.take('again')).toBe('second');
  });

  test('is gone after its time, although DynamoDB still has the item', async () => {
    await store.put('expired', 'x', { ttlSeconds: 60 });
    await store.put('expired-too', 'x', { ttlSeconds: 60 });
    now += 59_000;
    expect(await store.get('expired')).toBe('x');
    now += 1_000;
    expect(await store.get('expired')).toBeUndefined();
    expect(await store.take('expired-too')).toBeUndefined();
  });
});

test('every item has the time at which the table deletes it', async () => {
  await store.put('kept', 'x', { ttlSeconds: 0.5 });
  const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
  expect(Items.length).toBeGreaterThan(1);
  for (const { ttl } of Items) expect(Number.isInteger(ttl)).toBe(true);
});
