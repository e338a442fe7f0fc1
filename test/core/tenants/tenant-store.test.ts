import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { TenantStore } from '../../../core/tenants/tenant-store.ts';
import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { testDatabase } from '../../support/dynamodb.ts';

const tenantId = '0199c0de-0000-7000-8000-000000000001';
const tenantName = 'Example';

let client: DynamoDBDocumentClient;
let tenants: TenantStore;

const put = async (item: Record<string, unknown>) =>
  await client.send(new PutCommand({ TableName: 'tenants-of-test', Item: item }));

beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants-of-test' });
  tenants = new TenantStore(client, 'tenants-of-test');
});

describe('a tenant', () => {
  test('is found by the id of its client', async () => {
    await put({
      ...tenantKeys.client('web'),
      clientId: 'web',
      tenantId,
      tenantName,
      settings: { maxDevices: 7 },
    });

    expect(await tenants.findByClient('web')).toEqual({
      tenantId,
      tenantName,
      settings: { ...defaultSettings, maxDevices: 7 },
    });
  });

  test('is not found by its own id', async () => {
    await put({ ...tenantKeys.profile(tenantId), name: 'Example', tenantId, settings: {} });

    expect(await tenants.findByClient(tenantId)).toBeUndefined();
  });

  test('has the time of its suspension', async () => {
    await put({
      ...tenantKeys.client('shut'),
      clientId: 'shut',
      tenantId,
      tenantName,
      settings: {},
      suspendedAt: 7,
    });

    expect(await tenants.findByClient('shut')).toMatchObject({ tenantId, suspendedAt: 7 });
  });

  test.each(['pick', 'off'] as const)(
    'has the number matching of the client, if it has one: %s',
    async (own) => {
      const item = {
        clientId: 'own',
        tenantId,
        tenantName,
        settings: { numberMatching: 'type', maxDevices: 7 },
      };
      await put({ ...tenantKeys.client('own'), ...item, numberMatching: own });

      expect(await tenants.findByClient('own')).toEqual({
        tenantId,
        tenantName,
        settings: { ...defaultSettings, maxDevices: 7, numberMatching: own },
      });
    },
  );

  test.each(['nobody', '', 'ü'.repeat(1200)])('is not found by an unknown id (%#)', async (id) => {
    expect(await tenants.findByClient(id)).toBeUndefined();
  });

  test.each([
    ['without a tenant', { tenantName, settings: {} }],
    ['without the name of its tenant', { tenantId, settings: {} }],
    ['of a tenant that is not a UUID', { tenantId: 'example', tenantName, settings: {} }],
    ['without settings', { tenantId, tenantName }],
    ['with an unknown number matching', { tenantId, tenantName, settings: {}, numberMatching: 'guess' }],
    ['with an unknown setting', { tenantId, tenantName, settings: { numberMatch: 'pick' } }],
  ])('causes an error, not an unknown client, if the item is %s', async (name, item) => {
    await put({ ...tenantKeys.client(name), clientId: name, ...item });

    await expect(tenants.findByClient(name)).rejects.toThrow(`client#${name}`);
  });
});
