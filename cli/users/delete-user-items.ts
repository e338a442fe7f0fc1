import type { User } from '../../core/devices/device.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { deleteItem, scanPages } from '../deployment/table-client.ts';

type Progress = {
  /** Called before anything is deleted. */
  deleting: () => Promise<void>;
  /** Called after each page with the number of items that were read. */
  read: (items: number) => void;
};

/** The attributes with the ids of the user. */
const userPaths = {
  confirmations: { tenant: '#tenantId', user: '#userId' },
  enrolments: { tenant: '#enrolment.#tenantId', user: '#enrolment.#userId' },
} as const;

const attributeNames = {
  confirmations: { '#tenantId': 'tenantId', '#userId': 'userId' },
  enrolments: { '#enrolment': 'enrolment', '#tenantId': 'tenantId', '#userId': 'userId' },
} as const;

/**
 * Deletes a user's items from a table without an index by user. It scans the whole table, which is small because such
 * items live for hours.
 *
 * @returns how many items were deleted
 */
export async function deleteUserItems(
  { clients, tables }: Deployment,
  name: keyof typeof userPaths,
  user: User,
  { deleting, read: tell }: Progress,
): Promise<number> {
  const path = userPaths[name];
  const request = {
    TableName: tables[name],
    FilterExpression: `${path.tenant} = :tenant AND ${path.user} = :user`,
    ProjectionExpression: 'pk',
    ExpressionAttributeNames: attributeNames[name],
    ExpressionAttributeValues: { ':tenant': user.tenantId, ':user': user.userId },
  };
  let [read, deleted] = [0, 0];
  for await (const page of scanPages(clients.dynamodb, request)) {
    if (page.items.length > 0) await deleting();
    for (const { pk } of page.items) await deleteItem(clients.dynamodb, tables[name], { pk });
    deleted += page.items.length;
    read += page.read;
    tell(read);
  }
  return deleted;
}
