/** The stores for several servers, each with the real client at a real server. Redis is tested where `redis-server` is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'redis';
import type { Store } from '#website';
import { dynamoStore, postgresStore, redisStore } from '../../../packages/website/src/stores/index.ts';
import { eventually, soon } from '../../../tools/client/waiting.ts';
import { testDatabase } from '../../support/dynamodb.ts';

type Opened = { store: Store; close: () => Promise<unknown> };

async function openDynamo(): Promise<Opened> {
  await testDatabase({});
  const client = new DynamoDBClient({});
  await client.send(
    new CreateTableCommand({
      TableName: 'shop',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'key', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'key', AttributeType: 'S' }],
    }),
  );
  const close = async () => {
    await Promise.resolve();
    client.destroy();
  };
  return { store: dynamoStore(client, 'shop'), close };
}

/** PostgreSQL itself, compiled for WebAssembly. Its client is like that of `pg`. */
async function openPostgres(): Promise<Opened> {
  const database = await PGlite.create();
  return { store: postgresStore(database), close: async () => await database.close() };
}

async function openRedis(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-redis-'));
  const path = join(folder, 'socket');
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder]);
  const client = await eventually(
    'Redis',
    async () => {
      const one = createClient({ socket: { path, tls: false, reconnectStrategy: false } });
      one.on('error', () => undefined);
      return await one.connect().catch(() => undefined);
    },
    soon,
  );
  const close = async () => {
    client.destroy();
    server.kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { store: redisStore(client), close };
}

const stores = { DynamoDB: openDynamo, PostgreSQL: openPostgres, Redis: openRedis };
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

describe.each(Object.entries(stores))('a store in %s', (name, open) => {
  const tests = name === 'Redis' && !hasRedis ? test.skip : test;
  const needs = name !== 'Redis' || hasRedis;
  let opened: Opened;
  beforeAll(async () => {
    if (needs) opened = await open();
  });
  afterAll(async () => {
    if (needs) await opened.close();
  });

  tests('keeps a value until it is taken, and the latest of a key', async () => {
    const { store } = opened;
    expect(await store.get('a')).toBeUndefined();
    await store.put('a', '{"one":1}', { ttlSeconds: 60 });
    await store.put('a', '{"two":"ä"}', { ttlSeconds: 60 });
    expect(await store.get('a')).toBe('{"two":"ä"}');
    expect(await store.take('a')).toBe('{"two":"ä"}');
    expect([await store.get('a'), await store.take('a')]).toEqual([undefined, undefined]);
  });

  tests('gives a value to exactly one of many who take it at once', async () => {
    const { store } = opened;
    await store.put('b', 'once', { ttlSeconds: 60 });
    const taken = await Promise.all(Array.from({ length: 20 }, async () => await store.take('b')));
    expect(taken.filter((value) => value !== undefined)).toEqual(['once']);
  });

  tests('forgets a value after its time', async () => {
    const { store } = opened;
    await store.put('c', 'short', { ttlSeconds: 1 });
    await store.put('d', 'short', { ttlSeconds: 1 });
    expect(await store.get('c')).toBe('short');
    const isGone = async () => (await store.get('c')) === undefined || undefined;
    await eventually('The end of the value', isGone, soon);
    expect(await store.take('d')).toBeUndefined();
    await store.put('c', 'new', { ttlSeconds: 60 });
    expect(await store.get('c')).toBe('new');
  });
});
