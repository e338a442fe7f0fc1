import type { Store } from '../routes/store.ts';

/** A `DynamoDBClient` of `@aws-sdk/client-dynamodb`, which the website brings. */
export type DynamoClient = { send(command: never): Promise<unknown> };

type Item = Record<'value', { S?: string }> & Record<'ttl', { N?: string }>;

const isOver = ({ ttl }: Item): boolean => Number(ttl.N) <= Date.now() / 1000;

const isRefused = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ConditionalCheckFailedException';

/**
 * @param table with the partition key `key`, a string, and `ttl` as its time to live
 */
export function dynamoStore(client: DynamoClient, table: string): Store {
  // Only websites that use this store have the package.
  const sdk = async () => await import('@aws-sdk/client-dynamodb');
  const of = (key: string) => ({ TableName: table, Key: { key: { S: key } } });
  // DynamoDB deletes what has ended days later.
  const valueOf = (item: unknown): string | undefined =>
    item === undefined || isOver(item as Item) ? undefined : (item as Item).value.S;
  return {
    put: async (key, value, { ttlSeconds }) => {
      const { PutItemCommand } = await sdk();
      const ttl = { N: String(Math.ceil(Date.now() / 1000 + ttlSeconds)) };
      const Item = { key: { S: key }, value: { S: value }, ttl };
      await client.send(new PutItemCommand({ TableName: table, Item }) as never);
    },
    get: async (key) => {
      const { GetItemCommand } = await sdk();
      const answer = await client.send(new GetItemCommand({ ...of(key), ConsistentRead: true }) as never);
      return valueOf((answer as { Item?: unknown }).Item);
    },
    take: async (key) => {
      const { DeleteItemCommand } = await sdk();
      const deletion = new DeleteItemCommand({
        ...of(key),
        // One of several who take it at once deletes it; the condition of the others fails.
        ConditionExpression: 'attribute_exists(#key)',
        ExpressionAttributeNames: { '#key': 'key' },
        ReturnValues: 'ALL_OLD',
      });
      const answer = await client.send(deletion as never).catch((error: unknown) => {
        if (isRefused(error)) return {};
        throw error;
      });
      return valueOf((answer as { Attributes?: unknown }).Attributes);
    },
  };
}
