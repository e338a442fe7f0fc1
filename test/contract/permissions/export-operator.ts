/** What happens to the export behind its back, and what the operator's commands do to it. */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { EventStore } from '../../../core/events/event-store.ts';
import { ReplayQueue } from '../../../core/export/replays/replay-queue.ts';
import { ReplayStore } from '../../../core/export/replays/replay-store.ts';
import type { Event } from '../../../core/events/event.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { VerificationRequest } from '../../../core/export/verification/verification-queue.ts';
import { startReplay } from '../../../core/export/replays/start-replay.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import type { TestStack } from '../../support/stack.ts';
import { createdEvent, logEvent } from '../events/event.ts';
import { Register } from '../export/register.ts';

type Place = Pick<TestStack, 'file'>;

async function withTables<Result>(
  { file }: Place,
  work: (client: DynamoDBDocumentClient) => Promise<Result>,
): Promise<Result> {
  return await using(
    new DynamoDBClient(accessAs('OPERATOR', file.aws, 'dynamodb')),
    async (client) => await work(DynamoDBDocumentClient.from(client)),
  );
}

async function withQueue<Result>(
  { file }: Place,
  name: keyof typeof localQueues,
  work: (client: SQSClient, url: string) => Promise<Result>,
): Promise<Result> {
  const { region, endpoints } = file.aws;
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };
  return await using(new SQSClient({ region, endpoint: endpoints.sqs, credentials }), async (client) => {
    const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName: localQueues[name] }));
    return await work(client, QueueUrl);
  });
}

/** Accepts events, each of an aggregate of its own unless one is given, for a tenant that need have no client. */
export async function recordEvents(
  place: Place,
  { tenantId, category }: TargetRef,
  {
    count = 1,
    acceptedAt = Date.now(),
    aggregateId,
  }: { count?: number; acceptedAt?: number; aggregateId?: string } = {},
): Promise<string[]> {
  const events = Array.from({ length: count }, () =>
    category === 'public'
      ? createdEvent(tenantId, aggregateId === undefined ? {} : { aggregateId })
      : logEvent(tenantId, { attempt: 1 }),
  );
  await withTables(place, async (client) => {
    const store = new EventStore(client, localTables.events, () => acceptedAt);
    await store.append(tenantId, events as unknown as Event[]);
  });
  return events.map(({ metadata }) => metadata.eventId);
}

/** An item that the exporter takes for an event, and that names no target. */
export async function putUnreadableItem(place: Place): Promise<void> {
  const Item = { pk: 'nobody', sk: randomUUID(), sequence: '0' };
  await withTables(place, async (client) => {
    await client.send(new PutCommand({ TableName: localTables.events, Item }));
  });
}

/** A malformed message in the queue of parked events. */
export async function parkUnreadable(place: Place): Promise<void> {
  await withQueue(place, 'parking', async (client, QueueUrl) => {
    const message = {
      MessageBody: 'no events',
      MessageGroupId: 'nobody',
      MessageDeduplicationId: randomUUID(),
    };
    await client.send(new SendMessageCommand({ QueueUrl, ...message }));
  });
}

export const queueUrlOf = async (place: Place, name: keyof typeof localQueues): Promise<string> =>
  await withQueue(place, name, async (_client, url) => await Promise.resolve(url));

/** @param asked what the owner of a bucket read in it, or an event to send */
export async function requestVerification(
  place: Place,
  ref: TargetRef,
  asked: Pick<VerificationRequest, 'proof' | 'event'> = {},
): Promise<void> {
  await withQueue(place, 'verifications', async (client, QueueUrl) => {
    const MessageBody = JSON.stringify({ ...ref, ...asked });
    await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  });
}

/** As the operator's command begins one. */
export async function beginReplay(
  place: Place,
  ref: TargetRef,
  range: { from: number; to: number; portion?: number },
): Promise<string> {
  const { targets } = new Register(place.file);
  return await withTables(place, async (client) => {
    const replays = new ReplayStore(client, localTables.tenants);
    return await withQueue(place, 'replays', async (sqs, url) => {
      const deps = { targets, replays, queue: new ReplayQueue(sqs, url) };
      return await startReplay(deps, { ...ref, ...range });
    });
  });
}
