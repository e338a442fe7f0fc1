import { setTimeout as sleep } from 'node:timers/promises';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { loadInternal } from '../../../../../tools/local/aws/emulators/fauxqs/internals.ts';
import { type Fauxqs, startFauxqs } from '../../../../../tools/local/aws/emulators/fauxqs/start.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';

let fauxqs: Fauxqs;
let endpoint: Alone;
let sqs: SQSClient;

beforeAll(async () => {
  fauxqs = await startFauxqs();
  endpoint = await startAlone(services.sqs, fauxqs.sqs);
  sqs = new SQSClient(clientOf(endpoint.url));
});
afterAll(async () => {
  await endpoint.close();
  await fauxqs.close();
});

/** What came of a message's text: itself, or the reason for which SQS takes none of it. */
async function passed(MessageBody: string): Promise<string | undefined> {
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'parking' }));
  const { Failed } = await sqs.send(
    new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '0', MessageBody }] }),
  );
  if (Failed?.[0]) return Failed[0].Code;
  const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  return Messages?.[0]?.Body;
}

test.each(['🦊 👩‍👩‍👧', '\u{10000}\u{10ffff}', 'é\u2028\ud7ff\ue000\ufffd', '\t\n\r '])(
  'accepts a message with %j like AWS',
  async (text) => {
    expect(await passed(text)).toBe(text);
  },
);

test.each(['\u0000', '\u001f', '\ufffe', 'a\uffff'])('rejects a message with %j', async (text) => {
  expect(await passed(text)).toMatch(/InvalidMessageContents/);
});

test('messages of a group are delivered together and in order, also when repeated', async () => {
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({
      QueueName: 'grouped.fifo',
      Attributes: { FifoQueue: 'true', ContentBasedDeduplication: 'true' },
    }),
  );
  const texts = Array.from({ length: 12 }, (_, index) => `message ${index}`);
  for (const MessageBody of texts)
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId: 'a' }));
  const receive = async () =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))).Messages ?? [];
  const first = await receive();
  expect(first.map(({ Body }) => Body)).toEqual(texts.slice(0, 10));
  expect(await receive()).toEqual([]);
  for (const { ReceiptHandle } of first)
    await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
  const again = await receive();
  expect(again.map(({ Body }) => Body)).toEqual(texts.slice(0, 10));
  for (const { ReceiptHandle } of again)
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  expect((await receive()).map(({ Body }) => Body)).toEqual(texts.slice(10));
});

describe('the trace of a message', () => {
  const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Lineage=a87bd80c:1';

  test.each(['All', 'AWSTraceHeader'] as const)('is returned if %s is requested', async (name) => {
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: `traced-${name}` }));
    const AWSTraceHeader = { DataType: 'String', StringValue: trace };
    await sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody: 'one', MessageSystemAttributes: { AWSTraceHeader } }),
    );
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: [name] }),
    );
    expect(Messages?.[0]?.Attributes).toMatchObject({ AWSTraceHeader: trace });
  });

  test('is not returned with other messages', async () => {
    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'untraced' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    const { Messages } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] }),
    );
    expect(Messages?.[0]?.Attributes).not.toHaveProperty('AWSTraceHeader');
  });
});

type QueueModule = { SqsQueue: { prototype: { processTimers(): void; waitForMessages(): Promise<void> } } };

describe('a long poll', () => {
  const queueOf = async (name: string): Promise<string> => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name }));
    return QueueUrl;
  };
  const receive = async (QueueUrl: string, WaitTimeSeconds: number): Promise<Message | undefined> => {
    const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds }));
    return Messages?.[0];
  };

  /** Resolves once the poll waits. */
  const poll = async (queue: string): Promise<{ polled: Promise<Message | undefined> }> => {
    const { SqsQueue } = await loadInternal<QueueModule>('sqs/sqsStore.js');
    const waiting = jest.spyOn(SqsQueue.prototype, 'waitForMessages');
    const polled = receive(queue, 20);
    while (waiting.mock.calls.length === 0) await sleep(5);
    waiting.mockRestore();
    return { polled };
  };

  test('does not check a queue in which nothing can change', async () => {
    const { SqsQueue } = await loadInternal<QueueModule>('sqs/sqsStore.js');
    const queue = await queueOf('quiet');
    const looks = jest.spyOn(SqsQueue.prototype, 'processTimers');
    expect(await receive(queue, 1)).toBeUndefined();
    // At its beginning and at its end.
    expect(looks).toHaveBeenCalledTimes(2);
    looks.mockRestore();
  });

  test('gets a message at the end of a delay that started during the poll', async () => {
    const queue = await queueOf('delayed');
    const { polled } = await poll(queue);
    for (const [MessageBody, DelaySeconds] of [
      ['later', 10],
      ['soon', 1],
    ] as const)
      await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody, DelaySeconds }));
    expect((await polled)?.Body).toBe('soon');
  });

  test('gets a message whose invisibility another consumer has shortened', async () => {
    const queue = await queueOf('hidden');
    await sqs.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: 'returned' }));
    const ReceiptHandle = (await receive(queue, 0))?.ReceiptHandle ?? '';
    const { polled } = await poll(queue);
    await sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: queue, ReceiptHandle, VisibilityTimeout: 1 }),
    );
    expect((await polled)?.Body).toBe('returned');
  });
});
