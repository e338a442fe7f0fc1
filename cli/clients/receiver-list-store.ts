import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { receiver, type Receiver } from '../../core/callbacks/receiver.ts';
import { tenantKeys } from '../../core/tenants/tenant-keys.ts';
import { scan } from '../deployment/table-client.ts';

/** The receiver of an item, or the item's key if it is malformed. */
export type ListedReceiver = { kind: string; receiver: Receiver } | { malformed: string };

const sortKeys = {
  ':callback': tenantKeys.clientCallback('').sk,
  ':notification': tenantKeys.clientNotification('').sk,
};

/** The receivers of all clients. Scans the tenants table: it has no index for them. */
export async function listReceivers(
  client: DynamoDBDocumentClient,
  table: string,
): Promise<ListedReceiver[]> {
  const items = await scan(client, table, 'sk IN (:callback, :notification)', sortKeys);
  return items.map((item) => {
    const { success, output } = v.safeParse(receiver, item);
    const kind = item['sk'] === sortKeys[':callback'] ? 'call-backs' : 'notifications';
    return success
      ? { kind, receiver: output }
      : { malformed: `${String(item['pk'])} ${String(item['sk'])}` };
  });
}
