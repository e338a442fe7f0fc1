import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Target } from '../../../core/export/targets/target.ts';
import type { Writes } from '../aws/endpoint/writes.ts';
import { accessAs, type Aws, using } from './aws-access.ts';
import { placeOf } from './initial-target.ts';
import { settledTargets } from './targets.ts';
import type { StackDescription } from '../stack/stack-file.ts';

type Export = StackDescription['exports'][number];

/** The tenants' exports, once they are active. */
export async function readyExports(aws: Aws & { writes: Pick<Writes, 'since'> }): Promise<Export[]> {
  const targets = await using(
    new DynamoDBClient(accessAs('SEED', aws, 'dynamodb')),
    async (client) => await settledTargets(DynamoDBDocumentClient.from(client), aws.writes),
  );
  return targets.flatMap(exportOf);
}

function exportOf({ tenantId, category, destination }: Target): Export[] {
  const place = placeOf(destination);
  return place ? [{ tenantId, category, ...place }] : [];
}
