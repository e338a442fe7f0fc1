import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { hourOf } from '../../../core/events/event-keys.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { grownKey } from '../../../core/export/log/grown-log-store.ts';
import { hours } from '../../../core/kernel/time.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import type { TestStack } from '../../support/stack.ts';

/** As if the log had grown in the last hour: nobody waits here for an hour to end. */
export async function markAsGrown(stack: TestStack, ref: TargetRef): Promise<void> {
  await using(new DynamoDBClient(accessAs('OPERATOR', stack.file.aws, 'dynamodb')), async (client) => {
    const Item = grownKey(ref, hourOf(Date.now() - hours));
    await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName: localTables.log, Item }));
  });
}
