import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { WebsiteClient } from '../../../client/website-client.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { storedIn } from '../../support/stored-events.ts';
import type { TestEvent } from './event.ts';

const accepted = v.strictObject({ accepted: v.number() });

/** Sends the text as it is. */
export const post = async (website: WebsiteClient, body: string) =>
  await website.call(
    { method: 'POST', path: '/omi/events', body, headers: { 'content-type': 'application/json' } },
    accepted,
  );

export const record = async (website: WebsiteClient, events: unknown) =>
  await post(website, JSON.stringify({ events }));

function partitionOf({ metadata }: TestEvent): string {
  return 'aggregateId' in metadata
    ? `${metadata.tenantId}#${metadata.aggregateId}`
    : `log#${metadata.tenantId}#${metadata.agent}`;
}

/** What is stored of an event's aggregate, or of its agent: JSON as it is exported, in the order of acceptance. */
export async function storedWith(stack: TestStack, event: TestEvent): Promise<string[]> {
  const { region, endpoints } = stack.file.aws;
  const client = new DynamoDBClient({
    region,
    endpoint: endpoints.dynamodb,
    credentials: { accessKeyId: 'TEST', secretAccessKey: 'test' },
  });
  return await storedIn(DynamoDBDocumentClient.from(client), partitionOf(event), localTables.events);
}
