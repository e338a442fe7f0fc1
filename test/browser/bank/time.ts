import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from '@jest/globals';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { allItems } from '../../support/stored-events.ts';
import type { TestStack } from '../../support/stack.ts';

const table = localTables.confirmations;

/** Long enough for phone and website to look once more. */
const soonMs = 8_000;

/** Makes the user's open confirmation expire in a moment, as nobody waits two minutes in a test. */
export async function expireSoon(stack: TestStack, userId: string): Promise<void> {
  const { region, endpoints } = stack.file.aws;
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
  const client = new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials });
  const dynamodb = DynamoDBDocumentClient.from(client);
  try {
    const items = (await allItems(dynamodb, table)) as unknown as Stored[];
    const open = items.filter((item) => item.userId === userId && item.status === 'pending');
    expect(open).toHaveLength(1);
    for (const { pk } of open)
      await dynamodb.send(
        new UpdateCommand({
          TableName: table,
          Key: { pk },
          UpdateExpression: 'SET expiresAt = :soon',
          ExpressionAttributeValues: { ':soon': Date.now() + soonMs },
        }),
      );
  } finally {
    client.destroy();
  }
}

type Stored = { pk: string; userId: string; status: string };
