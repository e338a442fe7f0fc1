import { randomUUID } from 'node:crypto';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { transact } from '../../../core/aws/dynamodb-client.ts';
import { CallbackStore } from '../../../core/callbacks/callback-store.ts';
import type { Receiver } from '../../../core/callbacks/receiver.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { testDatabase } from '../../support/dynamodb.ts';

const tenantId = '0199c0de-0000-7000-8000-000000000001';
const url = 'https://bank.example/omi/callback';
const secrets = [{ sealed: 'c2VjcmV0', createdAt: 1 }];

let client: DynamoDBDocumentClient;
let store: CallbackStore;
let clientId: string;

beforeAll(async () => {
  client = await testDatabase({ tenants: 'receivers' });
  store = new CallbackStore(client, 'receivers');
});

beforeEach(async () => {
  clientId = randomUUID();
  await client.send(new PutCommand({ TableName: 'receivers', Item: tenantKeys.client(clientId) }));
  await register();
});

async function register(changes: Partial<Receiver> = {}, now = 10): Promise<void> {
  const registered = { clientId, tenantId, url, secrets, ...changes };
  await transact(client, [store.registration('callback', registered, now)]);
}

async function current(): Promise<Receiver> {
  const receiver = await store.get('callback', clientId);
  if (!receiver) throw new Error('The receiver is gone');
  return receiver;
}

const failed = async (reason = 'HTTP 500', now = 20, pausedUntil?: number) =>
  await store.failed('callback', await current(), { reason, pausedUntil }, now);
const answered = async (isFast = true, now = 30) =>
  await store.answered('callback', await current(), { isFast }, now);
const asked = async (succeeded: boolean) =>
  await store.tested('callback', await current(), { id: 't', at: 50, succeeded, reason: 'HTTP 200' });

describe('a receiver', () => {
  test('is active once it is registered', async () => {
    expect(await current()).toEqual({ clientId, tenantId, url, secrets, state: 'active', since: 10 });
  });

  test('is found with its tenant, unless its client is gone', async () => {
    const found = await store.find('callback', clientId);
    expect(found).toEqual({ receiver: await current(), isSuspended: false });
    const suspended = { ...tenantKeys.client(clientId), suspendedAt: 1 };
    await client.send(new PutCommand({ TableName: 'receivers', Item: suspended }));
    expect(await store.find('callback', clientId)).toMatchObject({ isSuspended: true });
    expect(await store.find('ping', clientId)).toBeUndefined();
    clientId = randomUUID();
    await register();
    expect(await store.find('callback', clientId)).toBeUndefined();
  });

  test('is reported without its values if it is malformed', async () => {
    const item = { ...tenantKeys.clientCallback(clientId), url: 7, secrets: 'whsec_x' };
    await client.send(new PutCommand({ TableName: 'receivers', Item: item }));
    const error = store.get('callback', clientId);
    await expect(error).rejects.toThrow(/callback is malformed: .*secrets/);
    await expect(error).rejects.not.toThrow(/whsec/);
  });

  test('is malformed without a tenant', async () => {
    await register({ tenantId: 'no id of a tenant' });
    await expect(current()).rejects.toThrow(/callback is malformed: tenantId$/);
  });

  test('is gone after its removal', async () => {
    await transact(client, [store.removal('callback', clientId)]);
    expect(await store.get('callback', clientId)).toBeUndefined();
  });

  test('has a separate registration for pings', async () => {
    await transact(client, [store.registration('ping', { clientId, tenantId, url: `${url}/ping` }, 10)]);
    expect(await store.get('ping', clientId)).toMatchObject({ url: `${url}/ping`, secrets: [] });
    expect(await current()).toMatchObject({ url });
  });
});

describe('the state of a receiver', () => {
  test('is failing since the first failure, with the latest reason', async () => {
    await failed();
    await failed('No answer within 10 s.', 25);
    expect(await current()).toMatchObject({ state: 'failing', since: 20, reason: 'No answer within 10 s.' });
  });

  test('is active again after the next success', async () => {
    await failed('HTTP 429', 20, 90);
    expect(await current()).toMatchObject({ pausedUntil: 90 });
    await answered();
    const { reason, pausedUntil, ...receiver } = await current();
    expect(receiver).toMatchObject({ state: 'active', since: 30, fast: true });
    expect([reason, pausedUntil]).toEqual([undefined, undefined]);
  });

  test('stays stopped, whatever the result of pending calls, until a test call succeeds', async () => {
    const seen = await current();
    await store.stopped('callback', seen, 'HTTP 410', 40);
    await store.answered('callback', seen, { isFast: true }, 41);
    await store.failed('callback', seen, { reason: 'HTTP 500' }, 42);
    await asked(false);
    expect(await current()).toMatchObject({ state: 'stopped', since: 40, reason: 'HTTP 410' });
    await asked(true);
    const { reason, ...receiver } = await current();
    expect(receiver).toMatchObject({ state: 'active', since: 50, lastTest: { id: 't', succeeded: true } });
    expect(reason).toBeUndefined();
  });

  test('is not changed by calls to an earlier URL', async () => {
    const seen = await current();
    await register({ url: `${url}/new` }, 15);
    await store.stopped('callback', seen, 'HTTP 410', 40);
    await store.failed('callback', seen, { reason: 'HTTP 500' }, 42);
    expect(await current()).toMatchObject({ state: 'active', since: 15 });
  });

  test('is fast while its calls are fast', async () => {
    await answered(true);
    expect(await current()).toMatchObject({ fast: true, since: 10 });
    await answered(false);
    expect((await current()).fast).toBeUndefined();
    await answered(true);
    await store.slow('callback', await current());
    expect((await current()).fast).toBeUndefined();
    await answered(true);
    await failed();
    expect((await current()).fast).toBeUndefined();
  });
});

test('secrets are replaced, unless they changed meanwhile', async () => {
  const seen = await current();
  const newer = { sealed: 'bmV3', createdAt: 2 };
  expect(await store.replaceSecrets(seen, [newer, ...secrets])).toBe(true);
  expect(await store.replaceSecrets(seen, [])).toBe(false);
  expect((await current()).secrets).toEqual([newer, ...secrets]);
});
