import type { Item } from '../../core/aws/dynamodb-client.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deleteItem, scanPages } from '../deployment/table-client.ts';
import { removeByOperator } from '../devices/remove-by-operator.ts';
import type { Session } from '../session.ts';

/**
 * Removes the devices of all users of a tenant, each with its event, and then the push histories.
 * There is no index by tenant, so this scans the whole table once.
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
    FilterExpression: 'begins_with(pk, :tenant)',
    ProjectionExpression: 'pk, sk',
    ExpressionAttributeValues: { ':tenant': `${tenantId}#` },
  };
  let devices = 0;
  for await (const { items } of scanPages(clients.dynamodb, request)) {
    const removed = await removeDevices(deployment, tenantId, items);
    await deleteHistories(deployment, items);
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
    // The user's other devices are also removed, so none is notified.
    await removeByOperator(
      deployment,
      { tenantId, userId: textAfter(pk, `${tenantId}#`), deviceId: textAfter(sk, 'device#') },
      'free',
    );
  return devices.length;
}

/** After the user's devices, which come before the history in the table: the removal of a device writes the history. */
async function deleteHistories({ clients, tables }: Deployment, items: readonly Item[]): Promise<void> {
  for (const { pk, sk } of items.filter(isHistory))
    await deleteItem(clients.dynamodb, tables.devices, { pk, sk });
}
