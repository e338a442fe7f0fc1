import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { sequenceAt, shardKey } from '../../../core/events/event-keys.ts';
import { accessAs, using } from '../../../tools/local/seed/aws-access.ts';
import { localQueues } from '../../../tools/local/resources/queues.ts';
import { localTables } from '../../../tools/local/resources/tables.ts';
import { holdingStream } from './faults.ts';
import { eventOf, joined, newKeys, recordRounds, type Source } from './recorded.ts';
import { eventually } from '../../support/waiting.ts';
import type { Scene } from './scene.ts';

/** As the outbox has it, of one event. */
function itemOf(
  { tenantId, category }: Source,
  key: string,
  event: { metadata: { eventId: string; type: string } },
) {
  const { eventId, type } = event.metadata;
  const shard = shardKey({ tenantId, category, by: 'platform', shard: 0 });
  const sequence = `${sequenceAt(Date.now())}-00000000`;
  return { pk: `${tenantId}#${key}`, sk: eventId, shard, sequence, type, event: JSON.stringify(event) };
}

async function put({ stack }: Scene, Item: Record<string, unknown>): Promise<void> {
  await using(new DynamoDBClient(accessAs('OPERATOR', stack.file.aws, 'dynamodb')), async (client) => {
    await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName: localTables.events, Item }));
  });
}

/** What people find in the queue of what no target can get, as soon as something of the item is there. */
async function sendToDeadLetter({ stack }: Scene, pk: string): Promise<string> {
  const { region, endpoints } = stack.file.aws;
  const credentials = { accessKeyId: 'OPERATOR', secretAccessKey: 'local' };
  return await using(new SQSClient({ region, endpoint: endpoints.sqs, credentials }), async (client) => {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: localQueues.undeliverable }));
    return await eventually(`something of ${pk} in the dead letters`, async () => {
      const receive = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1 });
      const { Messages = [] } = await client.send(receive);
      return Messages.find(({ Body = '' }) => Body.includes(pk))?.Body;
    });
  });
}

export function oddItems(scene: Scene): void {
  const unreadable: [string, (item: ReturnType<typeof itemOf>) => Record<string, unknown>, string][] = [
    [
      'with a truncated event',
      (item) => ({ ...item, event: '{"metadata":{"ev' }),
      'an event or its type is missing',
    ],
  ];
  test.each(unreadable)(
    'send one %s to the dead letters, and all other events are exported',
    async (_name, spoil, reason) => {
      const subject = await scene.newStream();
      const [key = ''] = newKeys(1);
      const item = spoil(itemOf(subject, key, eventOf(subject, key)));
      const recorded = await holdingStream(scene.stack.file, async () => {
        const before = await recordRounds(subject, [key], 2);
        await put(scene, item);
        return joined(before, await recordRounds(subject, [key, ...newKeys(3)], 2));
      });
      await scene.arrived(subject, recorded);
      const letter: unknown = JSON.parse(await sendToDeadLetter(scene, String(item['pk'])));
      expect(letter).toMatchObject({ reason, content: { pk: { S: item['pk'] } } });
      await scene.neighbourIsWell();
      await scene.isWell(subject);
    },
  );
}
