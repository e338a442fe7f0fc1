import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { storedIn } from '../../support/stored-events.ts';

/** What a test calls the stack's AWS with. */
export const placeOf = (stack: TestStack, service: string) => {
  const { region, endpoints } = stack.file.aws;
  const endpoint = (endpoints as Record<string, unknown>)[service];
  return {
    region,
    endpoint: String(endpoint),
    credentials: { accessKeyId: 'TEST', secretAccessKey: 'test' },
  };
};

export const dynamodbOf = (stack: TestStack): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(placeOf(stack, 'dynamodb')));

export type StoredEvent = { metadata: Record<string, unknown>; payload: Record<string, unknown> };

/** The events of a partition of the events table, in the order of their acceptance. */
export const eventsIn = async (stack: TestStack, partition: string): Promise<StoredEvent[]> =>
  (await storedIn(dynamodbOf(stack), partition, localTables.events)).map(
    (event) => JSON.parse(event) as StoredEvent,
  );
