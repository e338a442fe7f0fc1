import { DeleteMessageBatchCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Invocation } from '../lambda/function.ts';
import { failedItems } from './batch-response.ts';
import { Backoff } from './backoff.ts';
import { lambdaRecordOf } from './queue-record.ts';
import { detectLoops } from './loop-detection.ts';

export type QueuePollerOptions = {
  lambda: string;
  /** True if the function may send to its own queue without a limit. */
  mayLoop: boolean;
  client: SQSClient;
  queue: { url: string; arn: string; region: string };
  batchSize: number;
  /** Batches at once, at first. */
  concurrency: number;
  /** Batches at once, at most. As in the cloud, there are more while all are busy. */
  maxConcurrency?: number;
  /** @param trace the X-Ray header of the chain of calls */
  invoke: (event: object, trace: string) => Promise<Invocation>;
  failed: (invocation: Invocation) => void;
  /** Called with the number of messages whose chain of calls is too long. */
  stopped: (messages: number) => void;
  signal: AbortSignal;
};

/** SQS's limit. */
const longPollSeconds = 20;
/** After that the message is delivered again: SQS delivers at least once. */
const deleteAttempts = 5;

/** Lambda's event source mapping of a queue. SQS delivers failed messages again after their visibility timeout. */
export class QueuePoller {
  readonly #options: QueuePollerOptions;
  readonly #additional = new Set<Promise<void>>();
  #busy = 0;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
  }

  /** Runs until the signal aborts, and retries failures. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: this.#options.concurrency }, async () => await this.#poll()));
    await Promise.all(this.#additional);
  }

  /** @param isAdditional ends when the queue is empty */
  async #poll(isAdditional = false): Promise<void> {
    const { signal } = this.#options;
    const backoff = new Backoff(signal);
    while (!signal.aborted) {
      try {
        const records = await this.#receive();
        backoff.reset();
        if (records.length > 0) await this.#work(records);
        else if (isAdditional) return;
      } catch {
        await backoff.wait();
      }
    }
  }

  async #work(records: SQSRecord[]): Promise<void> {
    this.#busy += 1;
    this.#scale();
    try {
      await this.#handle(records);
    } finally {
      this.#busy -= 1;
    }
  }

  #scale(): void {
    const { concurrency, maxConcurrency = concurrency } = this.#options;
    const pollers = concurrency + this.#additional.size;
    if (this.#busy < pollers || pollers >= maxConcurrency) return;
    const additional = this.#poll(true).finally(() => this.#additional.delete(additional));
    this.#additional.add(additional);
  }

  async #receive(): Promise<SQSRecord[]> {
    const { client, queue, batchSize, signal } = this.#options;
    const { Messages = [] } = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.url,
        MaxNumberOfMessages: batchSize,
        WaitTimeSeconds: longPollSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }),
      { abortSignal: signal },
    );
    return Messages.map((message) => lambdaRecordOf(message, queue));
  }

  async #handle(received: SQSRecord[]): Promise<void> {
    const { lambda, mayLoop, invoke, failed } = this.#options;
    const { passed: records, stopped, trace } = detectLoops(received, lambda, mayLoop);
    if (stopped.length > 0) this.#options.stopped(stopped.length);
    if (records.length === 0) return;
    const invocation = await invoke({ Records: records }, trace);
    const remaining = failedItems(
      invocation,
      records.map(({ messageId }) => messageId),
    );
    if ('error' in invocation) failed(invocation);
    await this.#delete(records.filter(({ messageId }) => !remaining.has(messageId)));
  }

  async #delete(records: SQSRecord[]): Promise<void> {
    const { client, queue, signal } = this.#options;
    const backoff = new Backoff(signal);
    let waiting = records.map(({ messageId: Id, receiptHandle: ReceiptHandle }) => ({ Id, ReceiptHandle }));
    for (let attempt = 1; waiting.length > 0 && attempt <= deleteAttempts; attempt += 1) {
      const Entries = waiting;
      const { Failed = [] } = await client
        .send(new DeleteMessageBatchCommand({ QueueUrl: queue.url, Entries }))
        .catch(() => ({ Failed: Entries }));
      waiting = Entries.filter((entry) => Failed.some(({ Id }) => Id === entry.Id));
      if (waiting.length > 0) await backoff.wait();
    }
  }
}
