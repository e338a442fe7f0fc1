import type { Deployment } from '../deployment/deployment.ts';
import { scanPages } from '../deployment/table-client.ts';

/** How many devices of a tenant have no passkey. There is no index by tenant, so this scans the whole table once. */
export async function devicesWithoutPasskey(
  { clients, tables }: Deployment,
  tenantId: string,
): Promise<number> {
  const request = {
    TableName: tables.devices,
    FilterExpression:
      'begins_with(pk, :tenant) AND begins_with(sk, :device) AND attribute_not_exists(device.passkey)',
    ProjectionExpression: 'pk',
    ExpressionAttributeValues: { ':tenant': `${tenantId}#`, ':device': 'device#' },
  };
  let devices = 0;
  for await (const { items } of scanPages(clients.dynamodb, request)) devices += items.length;
  return devices;
}
