import { createHash } from 'node:crypto';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidv7 } from 'uuid';
import type { Event } from '../../../core/events/event.ts';
import { eventWrites } from '../../../core/events/event-items.ts';
import { hourOf, shardOf } from '../../../core/events/event-keys.ts';
import { hours } from '../../../core/kernel/time.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import { names } from './database.ts';

/** Events of a tenant that were accepted at equal distances in an hour. */
export type Plan = { tenantId: string; from: number; count: number; length?: number };

/** What a consumer has of an event. */
export type Own = { eventId: string; type: string; acceptedAt: number };

const types = [
  'PushNotificationSentEvent',
  'PushNotificationConfirmedEvent',
  'PushNotificationDeniedEvent',
  'PushNotificationExpiredEvent',
  'UserCreatedEvent',
];
const batchOfItems = 25;
const callsAtOnce = 8;
const aggregates = 5_000;

const typeOf = (index: number): string => types[index % types.length] ?? '';

function eventOf(tenantId: string, { eventId, type, acceptedAt }: Own, index: number): Event {
  return {
    metadata: {
      agent: 'x'.repeat(26),
      aggregateId: `user-${index % aggregates}@example.com`,
      category: 'public',
      eventId,
      metadataVersion: '1.0',
      occurredTime: new Date(acceptedAt).toISOString(),
      payloadVersion: '1.1',
      producerId: 'omi',
      producerInstanceId: '2026/11/22/[1]0123456789abcdef',
      tenantId,
      traceId: '1-0123456789abcdef01234567',
      type,
    },
    payload: { challengeId: 'x'.repeat(43), clientId: 'x'.repeat(26), deviceId: eventId },
  };
}

/** The former index had the hour in its key. */
const formerKeys = (tenantId: string, pk: string, at: number) => ({
  hour: formerKey(tenantId, hourOf(at), shardOf(pk)),
});

export const formerKey = (tenantId: string, hour: string, shard: number): string =>
  createHash('sha256').update(`${tenantId}#public#${hour}#${shard}`).digest('base64url').slice(0, 16);

/** Stores events as the outbox stores them, by batches. */
export async function fill(
  client: DynamoDBDocumentClient,
  { tenantId, from, count, length = hours }: Plan,
  alsoFormer = false,
): Promise<Own[]> {
  const all: Own[] = [];
  const batches = Array.from({ length: Math.ceil(count / batchOfItems) }, (_, batch) => batch);
  for (let index = 0; index < count; index += 1) {
    const acceptedAt = from + Math.floor((index * length) / count);
    all.push({ eventId: uuidv7({ msecs: acceptedAt }), type: typeOf(index), acceptedAt });
  }
  await mapConcurrent(batches, callsAtOnce, async (batch) => {
    const start = batch * batchOfItems;
    const items = all.slice(start, start + batchOfItems).flatMap((own, n) => {
      const events = [eventOf(tenantId, own, start + n)];
      return eventWrites(names.events, { tenantId, events, acceptedAt: own.acceptedAt });
    });
    const puts = items.map(({ Put }) => ({ PutRequest: { Item: Put?.Item ?? {} } }));
    await write(client, { [names.events]: puts });
    if (!alsoFormer) return;
    const former = puts.map(({ PutRequest: { Item } }, n) => {
      const acceptedAt = all[start + n]?.acceptedAt ?? 0;
      return { PutRequest: { Item: { ...Item, ...formerKeys(tenantId, String(Item['pk']), acceptedAt) } } };
    });
    await write(client, { [names.former]: former });
  });
  return all;
}

async function write(
  client: DynamoDBDocumentClient,
  items: Record<string, { PutRequest: { Item: Record<string, unknown> } }[]>,
): Promise<void> {
  const { UnprocessedItems = {} } = await client.send(new BatchWriteCommand({ RequestItems: items }));
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB did not take all items.');
}
