import { DeleteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Item } from '../../core/adapters/dynamodb.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { removeByOperator } from '../devices/removal.ts';
import type { Session } from '../session.ts';

/**
 * Removes the devices of all of a tenant's users, each with its event, and then what is known of whom was asked when.
 * There is no index by tenant: the whole table is looked through, once.
 *
 * @returns how many devices there were
 */
export async function removeUsers(
  session: Session,
  deployment: Deployment,
  tenantId: string,
): Promise<number> {
  const { clients, tables } = deployment;
  const request = {
    TableName: tables.devices,
    ConsistentRead: true,
    FilterExpression: 'begins_with(pk, :tenant)',
    ProjectionExpression: 'pk, sk',
    ExpressionAttributeValues: { ':tenant': `${tenantId}#` },
  };
  let devices = 0;
  for await (const { Items = [] } of paginateScan({ client: clients.dynamodb }, request)) {
    const removed = await removeDevices(deployment, tenantId, Items);
    await forgetHistories(deployment, Items);
    devices += removed;
    if (removed > 0) session.note(`${devices} devices removed`);
  }
  return devices;
}

const textAfter = (text: unknown, prefix: string): string => String(text).slice(prefix.length);

const isHistory = ({ sk }: Item): boolean => sk === 'history';

async function removeDevices(
  deployment: Deployment,
  tenantId: string,
  items: readonly Item[],
): Promise<number> {
  const devices = items.filter((item) => !isHistory(item));
  for (const { pk, sk } of devices)
    // All of them go: there is nobody to tell.
    await removeByOperator(
      deployment,
      { tenantId, userId: textAfter(pk, `${tenantId}#`), deviceId: textAfter(sk, 'device#') },
      'free',
    );
  return devices.length;
}

/** After the user's devices, which stand before it in the table: their removal writes it. */
async function forgetHistories({ clients, tables }: Deployment, items: readonly Item[]): Promise<void> {
  for (const { pk, sk } of items.filter(isHistory))
    await clients.dynamodb.send(new DeleteCommand({ TableName: tables.devices, Key: { pk, sk } }));
}
