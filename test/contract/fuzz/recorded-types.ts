import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { PublicEvent } from '../../../core/domain/event.ts';
import { localTables } from '../../../local/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import type { StoredGroup } from '../../support/stored-events.ts';

/** The types of all events by aggregate, in the order of their acceptance. */
export async function recordedTypes({ file }: TestStack): Promise<Map<string, string[]>> {
  const { region, endpoints } = file.aws;
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
  );
  const groups: StoredGroup[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: localTables.events, ConsistentRead: true },
  ))
    groups.push(
      ...(Items as Partial<StoredGroup>[]).filter((item): item is StoredGroup => item.events !== undefined),
    );
  client.destroy();
  const events = groups
    .toSorted((one, other) => (one.sequence < other.sequence ? -1 : 1))
    .flatMap((group) => group.events.map(({ event }) => JSON.parse(event) as PublicEvent));
  const byAggregate = Map.groupBy(events, ({ metadata }) => metadata.aggregateId);
  return new Map([...byAggregate].map(([id, its]) => [id, its.map(({ metadata }) => metadata.type)]));
}
