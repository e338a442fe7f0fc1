import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AccountStore, Stored } from '../server/account-store.ts';
import type { TableOptions } from './value-store.ts';

/** An account begins anew when its user has changed nothing for so long. */
const lifetimeSeconds = 24 * 3600;

type Item = Stored & { ttl: number };

/** The accounts in a DynamoDB table, for bank servers that share it. */
export function accountStore(
  client: DynamoDBDocumentClient,
  { table, now = Date.now }: TableOptions,
): AccountStore {
  const seconds = (): number => Math.floor(now() / 1000);
  const keyOf = (userId: string) => ({ pk: `account#${userId}`, sk: 'account' });
  return {
    async read(userId) {
      const get = new GetCommand({ TableName: table, Key: keyOf(userId), ConsistentRead: true });
      const item = (await client.send(get)).Item as Item | undefined;
      // The table deletes expired items hours later.
      if (!item || item.ttl <= seconds()) return undefined;
      return { account: item.account, version: item.version };
    },

    async write(userId, account, readVersion) {
      const item: Item = { account, version: readVersion + 1, ttl: seconds() + lifetimeSeconds };
      const isNew = readVersion === 0;
      const put = new PutCommand({
        TableName: table,
        Item: { ...keyOf(userId), ...item },
        ConditionExpression: isNew
          ? 'attribute_not_exists(pk) OR #ttl <= :now'
          : 'version = :read AND #ttl > :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': seconds(), ...(!isNew && { ':read': readVersion }) },
      });
      try {
        await client.send(put);
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}
