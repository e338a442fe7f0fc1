/**
 * The stores for several servers, each with the real client at a real server. Redis is tested where `redis-server` is installed, and
 * without PostgreSQL's server its engine for WebAssembly takes its place, which cannot announce.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient } from 'redis';
import type { Store } from '#website';
import { dynamoStore, postgresStore, redisStore } from '../../../packages/website/src/stores/index.ts';
import { eventually } from '../../support/waiting.ts';
import { testDatabase } from '../../support/dynamodb.ts';

type Opened = {
  store: Store;
  /** Of another server of the website. */
  other?: Store;
  close: () => Promise<unknown>;
};

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
async function openEngine(): Promise<Opened> {
  const database = await PGlite.create();
  const pool = {
    query: async (text: string, values?: unknown[]) => await database.query(text, values),
    connect: async () => await Promise.reject(new Error('There is one connection.')),
  };
  return { store: postgresStore(pool), close: async () => await database.close() };
}

/** The newest that Debian or Homebrew has installed. */
const [postgresBin] = globSync([
  '/usr/lib/postgresql/*/bin',
  '/opt/homebrew/opt/postgresql@*/bin',
]).toReversed();

/** PostgreSQL refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

async function openPostgres(): Promise<Opened> {
  if (postgresBin === undefined) return await openEngine();
  const folder = await mkdtemp(join(tmpdir(), 'omi-postgres-'));
  if (nobody.uid !== undefined) await chown(folder, nobody.uid, nobody.gid);
  const data = join(folder, 'data');
  const options = { ...nobody, cwd: folder, stdio: 'ignore' } as const;
  execFileSync(join(postgresBin, 'initdb'), ['-D', data, '-U', 'shop', '-A', 'trust', '-N'], options);
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(postgresBin, 'postgres'), ['-D', data, ...flags], options);
  const connection = { host: folder, user: 'shop', database: 'postgres' };
  const pools = [new pg.Pool(connection), new pg.Pool(connection)] as const;
  // What the server says of an idle connection when it ends.
  for (const pool of pools) pool.on('error', () => undefined);
  const isOpen = async () => await pools[0].query('SELECT 1').catch(() => undefined);
  await eventually('PostgreSQL', isOpen);
  const close = async () => {
    // Ends, because no connection listens any more.
    await Promise.all(pools.map(async (pool) => await pool.end()));
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  return { store: postgresStore(pools[0]), other: postgresStore(pools[1]), close };
}

async function openRedis(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'omi-redis-'));
  const path = join(folder, 'socket');
  const server = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder]);
  const client = await eventually('Redis', async () => {
    const one = createClient({ socket: { path, tls: false, reconnectStrategy: false } });
    one.on('error', () => undefined);
    return await one.connect().catch(() => undefined);
  });
  const close = async () => {
    client.destroy();
    server.kill();
    await rm(folder, { recursive: true, force: true });
  };
  return { store: redisStore(client), other: redisStore(client), close };
}

test('nobody listens to a Redis that is down once nobody waits', async () => {
  const socket = { path: join(tmpdir(), 'omi-no-redis'), tls: false } as const;
  const client = createClient({ socket });
  const nobodyWaits = new AbortController();
  const listening = redisStore(client).announcements?.listen(() => undefined, nobodyWaits.signal);
  nobodyWaits.abort();
  await expect(listening).rejects.toThrow();
});

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

  tests('announces an end to every server', async () => {
    const { store, other } = opened;
    if (!other) return;
    const heard = Promise.withResolvers<string>();
    const own = Promise.withResolvers<string>();
    const nobodyWaits = new AbortController();
    await store.announcements?.listen(heard.resolve, nobodyWaits.signal);
    await other.announcements?.listen(own.resolve, nobodyWaits.signal);
    await other.announcements?.announce('confirmation-1');
    expect(await Promise.all([heard.promise, own.promise])).toEqual(['confirmation-1', 'confirmation-1']);
    nobodyWaits.abort();
  });

  tests('forgets a value after its time', async () => {
    const { store } = opened;
    await store.put('c', 'short', { ttlSeconds: 1 });
    await store.put('d', 'short', { ttlSeconds: 1 });
    expect(await store.get('c')).toBe('short');
    // The later one of the two.
    const isGone = async () => (await store.get('d')) === undefined || undefined;
    await eventually('The end of the value', isGone);
    expect(await store.take('d')).toBeUndefined();
    await store.put('c', 'new', { ttlSeconds: 60 });
    expect(await store.get('c')).toBe('new');
  });
});
