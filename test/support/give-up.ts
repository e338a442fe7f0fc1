import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { targetKey } from '../../core/export/targets/target-item.ts';
import type { GivenUp } from '../../core/export/targets/target.ts';
import { localTables } from '../../tools/local/resources/tables.ts';
import { accessAs, using } from '../../tools/local/seed/aws-access.ts';
import type { TestStack } from './stack.ts';

/** Writes into the record of a tenant's public target what a test of the bucket, or the service, finds lost. */
export async function giveUp(
  { file }: TestStack,
  tenantId: string,
  givenUp: readonly GivenUp[],
): Promise<void> {
  await using(new DynamoDBClient(accessAs('OPERATOR', file.aws, 'dynamodb')), async (client) => {
    await DynamoDBDocumentClient.from(client).send(
      new UpdateCommand({
        TableName: localTables.tenants,
        Key: targetKey({ tenantId, category: 'public' }),
        UpdateExpression: 'SET givenUp = :givenUp',
        ExpressionAttributeValues: { ':givenUp': givenUp },
      }),
    );
  });
}
