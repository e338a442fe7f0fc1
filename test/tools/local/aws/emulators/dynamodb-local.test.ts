import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type DynamoDb,
  startDynamoDb,
} from '../../../../../tools/local/aws/emulators/dynamodb-local/start.ts';
import { clientOf } from '../clients.ts';

const startFile = join(
  import.meta.dirname,
  '../../../../../tools/local/aws/emulators/dynamodb-local/start.ts',
);

const tablesSeenBy = async (endpoint: string, accessKeyId: string): Promise<string[] | undefined> =>
  (await new DynamoDBClient(clientOf(endpoint, accessKeyId)).send(new ListTablesCommand({}))).TableNames;

const createTable = async (endpoint: string, accessKeyId: string): Promise<void> => {
  const command = new CreateTableCommand({
    TableName: 'devices',
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  });
  await new DynamoDBClient(clientOf(endpoint, accessKeyId)).send(command);
};

const accepts = async (host: string, port: number): Promise<boolean> =>
  await new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

describe('a running timer', () => {
  let own: DynamoDb;
  let shared: DynamoDb;
  beforeAll(async () => {
    [own, shared] = await Promise.all([
      startDynamoDb({ sharedDb: false }),
      startDynamoDb({ sharedDb: true }),
    ]);
  });
  afterAll(async () => await own.close());

  test("ignores a web page's request to end a database", async () => {
    await createTable(own.endpoint, 'ASKED');
    const headers = { authorization: 'Credential=ASKED/', origin: 'https://example.com' };
    const { status } = await fetch(own.endpoint, { method: 'DELETE', headers });
    expect(status).toBe(403);
    expect(await tablesSeenBy(own.endpoint, 'ASKED')).toEqual(['devices']);
  });

  test('listens only on loopback, until it is closed', async () => {
    const port = Number(new URL(shared.endpoint).port);
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    expect(await accepts('127.0.0.1', port)).toBe(true);
    for (const { address, internal } of addresses)
      if (!internal) expect(await accepts(address, port)).toBe(false);
    await shared.close();
    expect(await accepts('127.0.0.1', port)).toBe(false);
  });
});

test('an emulator ends without files when its parent is killed', async () => {
  const program = `const { startDynamoDb } = await import(${JSON.stringify(startFile)});
    process.stdout.write((await startDynamoDb({ sharedDb: true })).endpoint);`;
  const TMPDIR = await mkdtemp(join(tmpdir(), 'omi-test-'));
  const env = { ...process.env, TMPDIR };
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], { env });
  const [endpoint] = (await once(parent.stdout, 'data')) as [Buffer];
  const port = Number(new URL(endpoint.toString()).port);
  expect(await accepts('127.0.0.1', port)).toBe(true);
  parent.kill('SIGKILL');
  // There is no event for the end of a grandchild: poll until the port is free, or the test times out.
  while ((await accepts('127.0.0.1', port)) || (await readdir(TMPDIR)).length > 0) await sleep(20);
  await rm(TMPDIR, { recursive: true });
});
