import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type DynamoDBDocumentClient, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { unmarshallItem, type Item } from './dynamodb-client.ts';

export type ConditionalUpdate = {
  table: string;
  key: NonNullable<UpdateCommandInput['Key']>;
  update: string;
  condition: string;
  /** By their placeholders, `#` included. */
  names: Record<string, string>;
  /** By their placeholders, without the colon. */
  values: Record<string, unknown>;
};

/** Whether the write was done, and the item as it is now. */
export type Written = { applied: boolean; item: Item | undefined };

/** One write that happens if its condition holds, and tells either way what the item is. */
export async function updateIf(
  client: DynamoDBDocumentClient,
  { table, key, update, condition, names, values }: ConditionalUpdate,
): Promise<Written> {
  const command = new UpdateCommand({
    TableName: table,
    Key: key,
    UpdateExpression: update,
    ConditionExpression: condition,
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ExpressionAttributeValues: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [`:${name}`, value]),
    ),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    const { Attributes } = await client.send(command);
    return { applied: true, item: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { applied: false, item: error.Item && unmarshallItem(error.Item) };
  }
}
