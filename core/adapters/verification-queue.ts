import { createHash } from 'node:crypto';
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { categories, describeTarget, type TargetRef } from '../domain/target.ts';

const request = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  category: v.picklist(categories),
  /** What the owner read in the bucket. */
  proof: v.optional(v.string()),
});

export type VerificationRequest = v.InferOutput<typeof request>;

/** A message that was taken, and for how many seconds nobody gets it. */
export type Held = { receiptHandle: string; seconds: number };

/** Entries in a call. */
const batchSize = 10;
/** Seconds: the longest that SQS delays a message. */
const longestDelay = 900;

const inBatches = <Entry>(entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / batchSize) }, (_, index) =>
    entries.slice(index * batchSize, (index + 1) * batchSize),
  );

/** Each target has a time of its own within the delay, and the same one every day. */
export const delayOf = (target: TargetRef): number =>
  createHash('sha256').update(describeTarget(target)).digest().readUInt32BE() % (longestDelay + 1);

/**
 * Targets whose trust is to be tested. A message says no more than whose: what is tested is read when it is handled, so
 * messages may come twice and in any order.
 */
export class VerificationQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** Spread over a quarter of an hour. @returns those that SQS did not take */
  async spread(targets: readonly TargetRef[]): Promise<TargetRef[]> {
    const failed: TargetRef[] = [];
    for (const batch of inBatches(targets)) failed.push(...(await this.#send(batch)));
    return failed;
  }

  /** Sets when messages come again; for one that SQS does not take this of, the queue's own time holds. */
  async hold(messages: readonly Held[]): Promise<void> {
    for (const batch of inBatches(messages)) {
      const Entries = batch.map(({ receiptHandle, seconds }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: seconds,
      }));
      await this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: this.#url, Entries }));
    }
  }

  async #send(batch: TargetRef[]): Promise<TargetRef[]> {
    const Entries = batch.map(({ tenantId, category }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ tenantId, category } satisfies VerificationRequest),
      DelaySeconds: delayOf({ tenantId, category }),
    }));
    try {
      const { Successful = [] } = await this.#client.send(
        new SendMessageBatchCommand({ QueueUrl: this.#url, Entries }),
      );
      const taken = new Set(Successful.map(({ Id }) => Number(Id)));
      return batch.filter((_, index) => !taken.has(index));
    } catch {
      // Whoever asked says so, and asks again.
      return batch;
    }
  }
}

/** @returns nothing for a message that is none of ours */
export function readVerificationRequest(body: string): VerificationRequest | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body);
  return result.success ? result.output : undefined;
}
