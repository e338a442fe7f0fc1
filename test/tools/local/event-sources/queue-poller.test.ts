import { setTimeout as wait } from 'node:timers/promises';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { QueuePoller } from '../../../../tools/local/event-sources/queue-poller.ts';
import { LocalQueue } from '../../../support/local-queue.ts';

let queue: LocalQueue;
const stopping = new AbortController();
let running: Promise<void>;
const handled: string[] = [];
let failing = new Set<string>();

const textOf = (group: string | undefined, body: string): string => `${String(group)}${body}`;

beforeAll(async () => {
  queue = await LocalQueue.start('queue.fifo');
  running = new QueuePoller({
    lambda: 'any',
    mayLoop: false,
    client: queue.pollingClient,
    queue: { url: queue.url, arn: 'arn', region: 'eu-central-1' },
    batchSize: 10,
    concurrency: 5,
    invoke: async (event) => {
      const { Records } = event as SQSEvent;
      const texts = Records.map(({ attributes, body }) => textOf(attributes.MessageGroupId, body));
      // Those of other groups could overtake now; those of the same may not.
      await wait(20);
      handled.push(...texts.filter((text) => !failing.has(text)));
      const failed = Records.filter((_, index) => failing.has(texts[index] ?? ''));
      return {
        payload: { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) },
      };
    },
    failed: () => undefined,
    stopped: () => undefined,
    signal: stopping.signal,
  }).run();
});

afterAll(async () => {
  stopping.abort();
  await running;
  await queue.close();
});

async function send(group: string, ...bodies: string[]): Promise<void> {
  for (const body of bodies) {
    await queue.client.send(
      new SendMessageCommand({
        QueueUrl: queue.url,
        MessageBody: body,
        MessageGroupId: group,
        MessageDeduplicationId: `${group}${body}${String(Math.random())}`,
      }),
    );
  }
}

async function handledAre(count: number): Promise<string[]> {
  while (handled.length < count) await wait(10);
  return handled.splice(0);
}

test('messages of a group are handled in order, independently of other groups', async () => {
  await Promise.all([send('a', '1', '2', '3', '4'), send('b', '1', '2', '3', '4')]);
  const texts = await handledAre(8);
  for (const group of ['a', 'b']) {
    expect(texts.filter((text) => text.startsWith(group))).toEqual(
      ['1', '2', '3', '4'].map((n) => group + n),
    );
  }
});

test('a failed message delays only later messages of its group', async () => {
  failing = new Set(['c1']);
  await send('c', '1', '2');
  await send('d', '1');
  expect(await handledAre(1)).toEqual(['d1']);
  await wait(200);
  expect(handled).toEqual([]);
});
