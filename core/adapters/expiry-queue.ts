import { setTimeout } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sha256Text } from '../domain/identifiers.ts';
import { seconds } from '../domain/time.ts';

const expiry = v.object({ tenantId: v.string(), challengeId: sha256Text, expiresAt: v.number() });

/** That a confirmation may expire, and when, in milliseconds since 1970. */
export type Expiry = v.InferOutput<typeof expiry>;

/** A message that was taken, and for how many seconds nobody gets it. */
export type Held = { receiptHandle: string; seconds: number };

/** Entries in a call. */
const batchSize = 10;
/** SQS delays by whole seconds, up to 15 minutes; no confirmation lives longer. */
const longestDelay = 900;
const attempts = 3;
const longestWait = 200;

const inBatches = <Entry>(entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / batchSize) }, (_, index) =>
    entries.slice(index * batchSize, (index + 1) * batchSize),
  );

/** To the first whole second after it: a message that arrives a moment too early would only have to come again. */
const delayOf = ({ expiresAt }: Expiry, now: number): number =>
  Math.min(longestDelay, Math.max(0, Math.floor((expiresAt - now) / seconds) + 1));

/** An SQS queue as an alarm clock: each message comes when its confirmation is over. */
export class ExpiryQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** @returns those that SQS did not take, in their order, and why */
  async schedule<Scheduled extends Expiry>(
    expiries: readonly Scheduled[],
    attempt = 1,
  ): Promise<{ failed: Scheduled[]; reasons: string[] }> {
    const sent = await Promise.all(inBatches(expiries).map(async (batch) => await this.#send(batch)));
    const failed = sent.flatMap((one) => one.failed);
    if (failed.length === 0 || attempt === attempts) {
      return { failed, reasons: [...new Set(sent.flatMap((one) => one.reasons))] };
    }
    await setTimeout(Math.random() * longestWait);
    return await this.schedule(failed, attempt + 1);
  }

  /** Sets when messages come again; for one that SQS does not take this of, the queue's own time holds. */
  async hold(messages: readonly Held[]): Promise<void> {
    for (const batch of inBatches(messages)) {
      const Entries = batch.map(({ receiptHandle, seconds: VisibilityTimeout }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout,
      }));
      await this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: this.#url, Entries }));
    }
  }

  async #send<Scheduled extends Expiry>(batch: Scheduled[]) {
    const now = Date.now();
    const Entries = batch.map(({ tenantId, challengeId, expiresAt }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ tenantId, challengeId, expiresAt } satisfies Expiry),
      DelaySeconds: delayOf({ tenantId, challengeId, expiresAt }, now),
    }));
    try {
      const { Successful = [], Failed = [] } = await this.#client.send(
        new SendMessageBatchCommand({ QueueUrl: this.#url, Entries }),
      );
      const taken = new Set(Successful.map(({ Id }) => Number(Id)));
      return {
        failed: batch.filter((_, index) => !taken.has(index)),
        reasons: Failed.map(({ Code = '' }) => Code),
      };
    } catch (error) {
      return { failed: batch, reasons: [error instanceof Error ? error.name : typeof error] };
    }
  }
}

/** @returns nothing for a message that is none of ours */
export function readExpiry(body: string): Expiry | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), expiry), body);
  return result.success ? result.output : undefined;
}
