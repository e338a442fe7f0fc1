import { randomUUID } from 'node:crypto';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from '@jest/globals';
import { FurtherDevicesPolicyStore } from '../../../core/tenants/further-devices-policy-store.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { TenantStore } from '../../../core/tenants/tenant-store.ts';
import { testDatabase } from '../../support/dynamodb.ts';

let client: DynamoDBDocumentClient;
beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants' });
});

async function stored(settings: object): Promise<string> {
  const tenantId = randomUUID();
  for (const key of [
    { ...tenantKeys.profile(tenantId), name: 'Example' },
    { ...tenantKeys.client(tenantId), tenantName: 'Example' },
  ])
    await client.send(new PutCommand({ TableName: 'tenants', Item: { ...key, tenantId, settings } }));
  return tenantId;
}
const rules = () => new FurtherDevicesPolicyStore(client, 'tenants');

test.each([
  {},
  { maxDevices: 3 },
  ...['free', 'notify', 'confirm'].map((furtherDevices) => ({ furtherDevices })),
])("the policy of %j is the same as in the authorizer's settings", async (settings) => {
  const tenantId = await stored(settings);
  const tenant = await new TenantStore(client, 'tenants').findByClient(tenantId);
  expect((await rules().find(tenantId)).policy).toBe(tenant?.settings.furtherDevices);
});

test('the policy of a missing tenant is the strictest', async () => {
  expect(await rules().find(randomUUID())).toMatchObject({ policy: 'confirm', requiresVerification: true });
});

test.each(['off', 'preferred', 'required'])(
  'the policy includes user verification %s',
  async (userVerification) => {
    const { requiresVerification } = await rules().find(await stored({ userVerification }));
    expect(requiresVerification).toBe(userVerification === 'required');
  },
);

test('a malformed policy causes a fault', async () => {
  await expect(rules().find(await stored({ furtherDevices: 'none' }))).rejects.toThrow('furtherDevices');
});
