import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { PublicEvent } from '../../../core/events/event.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { allItems, entriesIn } from '../../support/stored-events.ts';

/** The types of all events by aggregate, in the order of their acceptance. */
export async function recordedTypes({ file }: TestStack): Promise<Map<string, string[]>> {
  const { region, endpoints } = file.aws;
  const credentials = { accessKeyId: 'TEST', secretAccessKey: 'test' };
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ region, endpoint: endpoints.dynamodb, credentials }),
  );
  const items = await allItems(client, localTables.events);
  client.destroy();
  const events = items
    .toSorted(({ sequence: one = '' }, { sequence: other = '' }) => (one < other ? -1 : 1))
    .flatMap(entriesIn)
    .map(({ event }) => JSON.parse(event) as PublicEvent);
  const byAggregate = Map.groupBy(events, ({ metadata }) => metadata.aggregateId);
  return new Map([...byAggregate].map(([id, its]) => [id, its.map(({ metadata }) => metadata.type)]));
}
