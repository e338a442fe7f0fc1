import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { categories, type TargetRef } from '../../events/target-ref.ts';

/** The key of a target's item is `tenant#id` / `target#category`. */
function refOf({ pk, sk }: Record<string, unknown>): TargetRef[] {
  const tenantId = /^tenant#(.+)$/.exec(String(pk))?.[1];
  const category = categories.find((one) => sk === `target#${one}`);
  return tenantId !== undefined && category ? [{ tenantId, category }] : [];
}

/** Every target that goes somewhere, of all tenants, a page of the table at a time; a page may have none. */
export async function* scanTargets(
  client: DynamoDBDocumentClient,
  table: string,
): AsyncGenerator<TargetRef[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName: table,
        ProjectionExpression: 'pk, sk',
        FilterExpression: 'begins_with(sk, :target) AND destination.kind <> :none',
        ExpressionAttributeValues: { ':target': 'target#', ':none': 'none' },
        ...(after && { ExclusiveStartKey: after }),
      }),
    );
    yield Items.flatMap(refOf);
    after = LastEvaluatedKey;
  } while (after);
}
