import { CreatePlatformEndpointCommand, DeleteEndpointCommand, type SNSClient } from '@aws-sdk/client-sns';
import { transact } from '../../core/aws/dynamodb-client.ts';
import type { User } from '../../core/devices/device.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deleteItem, keysOf } from '../deployment/table-client.ts';
import { deviceStoreOf, removeByOperator } from '../devices/remove-by-operator.ts';
import type { PushPlatform } from './push-platform.ts';

/** Deletes all items of the run's tenant. `omi tenant delete` keeps the profile instead, as a record of a real customer. */
export async function deleteTenantItems(
  { clients: { dynamodb }, tables }: Deployment,
  tenantId: string,
): Promise<void> {
  const { pk } = tenantKeys.profile(tenantId);
  for (const key of await keysOf(dynamodb, tables.tenants, pk))
    await deleteItem(dynamodb, tables.tenants, key);
}

type Endpoint = { platform: PushPlatform; pushToken: string };

/** Removes the user's devices, the endpoint of the push token, if there is one, and the push history. */
export async function deleteUser(
  deployment: Deployment,
  user: User,
  endpoint: Endpoint | undefined,
): Promise<void> {
  const store = deviceStoreOf(deployment);
  const { devices } = await store.loadUser(user);
  for (const { deviceId } of devices) await removeByOperator(deployment, { ...user, deviceId }, 'free');
  if (endpoint) await deleteEndpoint(deployment.clients.sns, endpoint);
  const found = await store.loadUser(user);
  if (found.version > 0) await transact(deployment.clients.dynamodb, [store.removeHistory(user, found)]);
}

/**
 * SNS has no search by token, but creating an endpoint for a known token returns the existing one. It may exist without a
 * device, if the enrolment was interrupted.
 */
async function deleteEndpoint(client: SNSClient, { platform, pushToken }: Endpoint): Promise<void> {
  const { EndpointArn } = await client.send(
    new CreatePlatformEndpointCommand({ PlatformApplicationArn: platform.applicationArn, Token: pushToken }),
  );
  await client.send(new DeleteEndpointCommand({ EndpointArn }));
}
