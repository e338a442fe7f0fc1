import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** A queue, as the SDK reaches it. */
export type QueueAccess = { client: SQSClient; url: string };

/** A message that was taken, and for how many seconds nobody gets it. */
export type Held = { receiptHandle: string; seconds: number };

/** What SQS did not take, in its order, and why. */
export type Unsent<Message> = { failed: Message[]; reasons: string[] };

/** Entries in a call. */
const batchSize = 10;

const inBatches = <Entry>(entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / batchSize) }, (_, index) =>
    entries.slice(index * batchSize, (index + 1) * batchSize),
  );

/** Sends all of them, at once; what fails is told and not thrown: whoever asked asks again. */
export async function sendInBatches<Message>(
  queue: QueueAccess,
  messages: readonly Message[],
  entryOf: (message: Message) => Omit<SendMessageBatchRequestEntry, 'Id'>,
): Promise<Unsent<Message>> {
  const batches = inBatches(messages).map(async (batch) => await sendBatch(queue, batch, entryOf));
  const sent = await Promise.all(batches);
  return {
    failed: sent.flatMap(({ failed }) => failed),
    reasons: [...new Set(sent.flatMap(({ reasons }) => reasons))],
  };
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

/** Sets when messages come again; for one that SQS does not take this of, the queue's own time holds. */
export async function holdInBatches({ client, url }: QueueAccess, messages: readonly Held[]): Promise<void> {
  for (const batch of inBatches(messages)) {
    const Entries = batch.map(({ receiptHandle, seconds }, index) => ({
      Id: String(index),
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: seconds,
    }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  }
}
