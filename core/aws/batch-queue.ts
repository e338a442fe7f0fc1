import { setTimeout } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { chunksOf } from '../kernel/chunks.ts';

/** A queue, and the client that reaches it. */
export type QueueAccess = { client: SQSClient; url: string };

/** A received message, and for how many seconds SQS hides it. */
export type Held = { receiptHandle: string; seconds: number };

/** Messages that SQS did not take, in their order, and why. */
export type Unsent<Message> = { failed: Message[]; reasons: string[] };

/** The most entries of a call. */
const batchSize = 10;

/** How often messages are sent to a queue that does not take them, and the longest wait in between, in milliseconds. */
const attempts = 3;
const longestWaitMs = 200;

/** Sends all batches at once. Returns failures instead of throwing; the caller retries. */
export async function sendInBatches<Message>(
  queue: QueueAccess,
  messages: readonly Message[],
  entryOf: (message: Message) => Omit<SendMessageBatchRequestEntry, 'Id'>,
): Promise<Unsent<Message>> {
  const batches = chunksOf(messages, batchSize).map(async (batch) => await sendBatch(queue, batch, entryOf));
  const sent = await Promise.all(batches);
  return {
    failed: sent.flatMap(({ failed }) => failed),
    reasons: [...new Set(sent.flatMap(({ reasons }) => reasons))],
  };
}

/**
 * Sends messages, and those again that SQS does not take.
 *
 * @param entryOf called again for each attempt
 */
export async function sendWithRetries<Message>(
  queue: QueueAccess,
  messages: readonly Message[],
  entryOf: (message: Message) => Omit<SendMessageBatchRequestEntry, 'Id'>,
  attempt = 1,
): Promise<Unsent<Message>> {
  const unsent = await sendInBatches(queue, messages, entryOf);
  if (unsent.failed.length === 0 || attempt === attempts) return unsent;
  await setTimeout(Math.random() * longestWaitMs);
  return await sendWithRetries(queue, unsent.failed, entryOf, attempt + 1);
}

async function sendBatch<Message>(
  { client, url }: QueueAccess,
  batch: Message[],
  entryOf: (message: Message) => Omit<SendMessageBatchRequestEntry, 'Id'>,
): Promise<Unsent<Message>> {
  const Entries = batch.map((message, index) => ({ Id: String(index), ...entryOf(message) }));
  try {
    const command = new SendMessageBatchCommand({ QueueUrl: url, Entries });
    const { Successful = [], Failed = [] } = await client.send(command);
    const taken = new Set(Successful.map(({ Id }) => Number(Id)));
    return {
      failed: batch.filter((_, index) => !taken.has(index)),
      reasons: Failed.map(({ Code = '' }) => Code),
    };
  } catch (error) {
    return { failed: batch, reasons: [error instanceof Error ? error.name : typeof error] };
  }
}

/** Sets when messages come again. If that fails, the queue's own visibility timeout applies. */
export async function holdInBatches({ client, url }: QueueAccess, messages: readonly Held[]): Promise<void> {
  for (const batch of chunksOf(messages, batchSize)) {
    const Entries = batch.map(({ receiptHandle, seconds }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  }
}
