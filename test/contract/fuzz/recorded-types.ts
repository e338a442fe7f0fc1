import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isReserved } from '../../../core/events/catalogue.ts';
import type { PublicEvent } from '../../../core/events/event.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { allItems, entriesIn } from '../../support/stored-events.ts';

function parsed(json: string): PublicEvent {
  try {
    return JSON.parse(json) as PublicEvent;
  } catch (error) {
    throw new Error(`The stored event ${JSON.stringify(json)} is no JSON`, { cause: error });
  }
}

/** The types of the service's own events by aggregate, in the order of their acceptance. */
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
    .filter(({ type }) => isReserved(type))
    .map(({ event }) => parsed(event));
  const byAggregate = Map.groupBy(events, ({ metadata }) => metadata.aggregateId);
  return new Map([...byAggregate].map(([id, its]) => [id, its.map(({ metadata }) => metadata.type)]));
}
