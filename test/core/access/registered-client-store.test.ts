import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { secretHashOf } from '../../../core/access/client-secret.ts';
import type { RegisteredClient } from '../../../core/access/registered-client.ts';
import { RegisteredClientStore } from '../../../core/access/registered-client-store.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { testDatabase } from '../../support/dynamodb.ts';

const tenantId = '0199c0de-0000-7000-8000-000000000001';
const key = { kty: 'EC', crv: 'P-256', x: 'eA', y: 'eQ', alg: 'ES256', kid: 'one' } as const;
const secret = { id: 'one', hash: secretHashOf('the secret') };

let database: DynamoDBDocumentClient;
let clients: RegisteredClientStore;

beforeAll(async () => {
  database = await testDatabase({ tenants: 'tenants-of-clients' });
  clients = new RegisteredClientStore(database, 'tenants-of-clients');
});

type Changes = Record<string, unknown>;

async function register(clientId: string, client: Changes, oauth?: Changes): Promise<void> {
  const put = async (item: Changes) =>
    await database.send(new PutCommand({ TableName: 'tenants-of-clients', Item: item }));
  await put({
    ...tenantKeys.client(clientId),
    clientId,
    tenantId,
    tenantName: 'Bank',
    settings: {},
    ...client,
  });
  if (oauth) await put({ ...tenantKeys.clientOauth(clientId), clientId, tenantId, ...oauth });
  // The store reads neither of these.
  await put({ ...tenantKeys.clientCallback(clientId), url: 'https://bank.example/events', secrets: [] });
  await put({ ...tenantKeys.clientNotification(clientId), state: 'active' });
}

describe('a registered client', () => {
  test('has everything that was registered, with the settings that apply to it', async () => {
    const oauth = {
      scopes: ['credential:omi:push-notification:post'],
      keys: [key],
      notificationUrl: 'https://bank.example/ciba',
      resource: 'https://api.bank.example',
    };
    const client = { name: 'payments', callback: true, numberMatching: 'pick' };
    await register('full', { ...client, settings: { maxDevices: 7 } }, oauth);

    const found = await clients.find('full');
    expect(found).toEqual({
      clientId: 'full',
      tenantId,
      settings: { ...defaultSettings, maxDevices: 7, numberMatching: 'pick' },
      requester: { tenant: 'Bank', client: 'payments' },
      callback: true,
      secretHashes: [],
      ...oauth,
    });
  });

  test('may have two secrets', async () => {
    await register(
      'rotating',
      {},
      { scopes: [], secrets: [{ id: 'two', hash: secretHashOf('new') }, secret] },
    );

    const found = await clients.find('rotating');
    expect(found?.secretHashes).toEqual([secretHashOf('new'), secretHashOf('the secret')]);
  });

  test('is found with the time of suspension when its tenant is suspended', async () => {
    await register('shut', { suspendedAt: 7 }, { scopes: [], secrets: [secret] });

    expect(await clients.find('shut')).toMatchObject({ suspendedAt: 7 } satisfies Partial<RegisteredClient>);
  });

  test('has neither credentials nor scopes if nothing was registered, as a client of another issuer', async () => {
    await register('old', { scopes: ['omi:events:post'] });

    const found = await clients.find('old');
    expect(found).toMatchObject({ scopes: [], secretHashes: [] });
  });

  test('is not found without the item that assigns it to a tenant', async () => {
    await database.send(
      new PutCommand({
        TableName: 'tenants-of-clients',
        Item: { ...tenantKeys.clientOauth('loose'), scopes: [], secrets: [secret] },
      }),
    );

    expect(await clients.find('loose')).toBeUndefined();
  });

  test.each(['nobody', '', 'ü'.repeat(1200)])('is not found by an unknown id (%#)', async (id) => {
    expect(await clients.find(id)).toBeUndefined();
  });

  test('is not looked up by an id that DynamoDB rejects', async () => {
    const longest = 'x'.repeat(2048 - tenantKeys.client('').pk.length);
    const sending = jest.spyOn(database, 'send');

    expect(await clients.find(longest)).toBeUndefined();
    expect(sending).toHaveBeenCalledTimes(1);
    expect(await clients.find(`${longest}x`)).toBeUndefined();
    expect(sending).toHaveBeenCalledTimes(1);
    sending.mockRestore();
  });

  test.each<[string, Changes]>([
    ['no scopes', { secrets: [secret] }],
    ['three secrets', { scopes: [], secrets: [secret, secret, secret] }],
    ['a secret instead of its hash', { scopes: [], secrets: [{ id: 'one', hash: 'the secret' }] }],
    ['a hash with a character before it', { scopes: [], secrets: [{ ...secret, hash: `x${secret.hash}` }] }],
    ['a hash with a character after it', { scopes: [], secrets: [{ ...secret, hash: `${secret.hash}x` }] }],
    ['a secret whose id is not a string', { scopes: [], secrets: [{ ...secret, id: 7 }] }],
    ['scopes as one string', { scopes: 'credential:omi:push-notification:post' }],
    ['a scope that is not a string', { scopes: [7] }],
    ['an empty key set', { scopes: [], keys: [] }],
    ['a private key', { scopes: [], keys: [{ ...key, d: 'ZA' }] }],
    ['a key that does not end in base64url', { scopes: [], keys: [{ ...key, x: 'eA==' }] }],
    ['a key that does not begin in base64url', { scopes: [], keys: [{ ...key, y: '+eA' }] }],
    ['a key of another algorithm', { scopes: [], keys: [{ ...key, alg: 'ES384' }] }],
  ])('causes an error, without the values, with %s', async (name, oauth) => {
    await register(name, {}, oauth);

    const error = await clients.find(name).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(`client#${name} oauth is malformed`);
    expect(String(error)).not.toMatch(/the secret|ZA|ES384/);
  });
});
