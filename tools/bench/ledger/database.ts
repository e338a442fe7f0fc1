import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import { tables } from '../../../core/aws/tables.ts';
import { eventWrites } from '../../../core/events/event-items.ts';
import { chunksOf } from '../../../core/kernel/chunks.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import { hours } from '../../../core/kernel/time.ts';
import { startDynamoDb } from '../../local/aws/emulators/dynamodb-local/start.ts';
import { tableInput } from '../../local/resources/tables.ts';

export const names = { events: 'events', ledger: 'ledger', log: 'log' } as const;

export type Database = { client: DynamoDBDocumentClient; close: () => Promise<void> };

/** DynamoDB Local in memory, with the service's tables. Clients that this process and its children make use it. */
export async function startDatabase(): Promise<Database> {
  const local = await startDynamoDb({ sharedDb: true });
  Object.assign(process.env, {
    ...{ AWS_ENDPOINT_URL_DYNAMODB: local.endpoint, AWS_REGION: 'eu-central-1' },
    ...{ AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' },
  });
  // Without the service's limit of 2 s for a call: nobody waits for an answer while the tables are filled.
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 5 }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  // Nobody reads the stream here, and it would hold each item once more.
  const events = { ...tableInput(tables.events, names.events), StreamSpecification: undefined };
  const others = [tableInput(tables.ledger, names.ledger), tableInput(tables.log, names.log)];
  for (const input of [events, ...others]) await client.send(new CreateTableCommand(input));
  const close = async (): Promise<void> => {
    client.destroy();
    await local.close();
  };
  return { client, close };
}

/** What a consumer has of an event. */
export type Own = { eventId: string; type: string; acceptedAt: number };

const types = ['PushNotificationSentEvent', 'PushNotificationConfirmedEvent', 'UserCreatedEvent'];

export const eventOf = (tenantId: string, { eventId, type, acceptedAt }: Own, index: number) => ({
  metadata: {
    ...{
      agent: 'x'.repeat(26),
      aggregateId: `user-${index % 5_000}@example.com`,
      category: 'public' as const,
    },
    ...{ eventId, tenantId, type, metadataVersion: '1.0' as const, payloadVersion: '1.1' },
    ...{ occurredTime: new Date(acceptedAt).toISOString(), traceId: '1-0123456789abcdef01234567' },
    ...{ producerId: 'omi', producerInstanceId: '2026/11/22/[1]0123456789abcdef' },
  },
  payload: { challengeId: 'x'.repeat(43), clientId: 'x'.repeat(26), deviceId: eventId },
});

/** Stores so many events that were accepted at equal distances in an hour, as the outbox stores them. */
export async function fill(
  client: DynamoDBDocumentClient,
  tenantId: string,
  from: number,
  count: number,
): Promise<Own[]> {
  const all = Array.from({ length: count }, (_, index): Own => {
    const acceptedAt = from + Math.floor((index * hours) / count);
    return { eventId: uuidv7({ msecs: acceptedAt }), type: types[index % types.length] ?? '', acceptedAt };
  });
  const indexed = all.map((own, index) => ({ own, index }));
  await mapConcurrent(chunksOf(indexed, 25), 8, async (chunk) => {
    const puts = chunk.flatMap(({ own, index }) => {
      const events = [eventOf(tenantId, own, index)];
      return eventWrites(names.events, { tenantId, events, acceptedAt: own.acceptedAt, by: 'platform' });
    });
    const items = puts.map(({ Put }) => ({ PutRequest: { Item: Put?.Item ?? {} } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteCommand({ RequestItems: { [names.events]: items } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB did not take all items.');
  });
  return all;
}
