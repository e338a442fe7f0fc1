import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Store } from '#website';

export type TableOptions = { table: string; now?: () => number };

type Item = { value: string; ttl: number };

/**
 * A store for a website whose servers share a DynamoDB table. The table deletes expired items hours later, so every read
 * compares the time itself.
 */
export function valueStore(client: DynamoDBDocumentClient, { table, now = Date.now }: TableOptions): Store {
  const seconds = (): number => Math.floor(now() / 1000);
  const itemOf = (key: string) => ({ TableName: table, Key: { pk: `value#${key}`, sk: 'value' } });
  const living = (item: unknown): string | undefined => {
    const { value, ttl = 0 } = (item ?? {}) as Partial<Item>;
    return ttl > seconds() ? value : undefined;
  };
  return {
    async put(key, value, { ttlSeconds }) {
      const { TableName, Key } = itemOf(key);
      const Item = { ...Key, value, ttl: seconds() + Math.ceil(ttlSeconds) };
      await client.send(new PutCommand({ TableName, Item }));
    },

    async get(key) {
      const { Item } = await client.send(new GetCommand({ ...itemOf(key), ConsistentRead: true }));
      return living(Item);
    },

    /**
     * One conditional deletion, which succeeds once. If its answer is lost, the SDK's repetition finds nothing: a value is then
     * lost, but never taken twice.
     */
    async take(key) {
      const removal = new DeleteCommand({
        ...itemOf(key),
        ConditionExpression: '#ttl > :now',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':now': seconds() },
        ReturnValues: 'ALL_OLD',
      });
      try {
        return living((await client.send(removal)).Attributes);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return undefined;
        throw error;
      }
    },
  };
}
