import { setTimeout } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sha256Text } from '../kernel/identifiers.ts';
import { seconds } from '../kernel/time.ts';
import {
  holdInBatches,
  sendInBatches,
  type Held,
  type QueueAccess,
  type Unsent,
} from '../aws/batch-queue.ts';

const expiry = v.object({ tenantId: v.string(), challengeId: sha256Text, expiresAt: v.number() });

/** That a confirmation may expire, and when, in milliseconds since 1970. */
export type Expiry = v.InferOutput<typeof expiry>;

/** SQS delays by whole seconds, up to 15 minutes; no confirmation lives longer. */
const longestDelay = 900;
const attempts = 3;
const longestWait = 200;

/** To the first whole second after it: a message that arrives a moment too early would only have to come again. */
const delayOf = ({ expiresAt }: Expiry, now: number): number =>
  Math.min(longestDelay, Math.max(0, Math.floor((expiresAt - now) / seconds) + 1));

const bodyOf = ({ tenantId, challengeId, expiresAt }: Expiry): string =>
  JSON.stringify({ tenantId, challengeId, expiresAt } satisfies Expiry);

/** An SQS queue as an alarm clock: each message comes when its confirmation is over. */
export class ExpiryQueue {
  readonly #queue: QueueAccess;

  constructor(client: SQSClient, url: string) {
    this.#queue = { client, url };
  }

  /** @returns those that SQS did not take, in their order, and why */
  async schedule<Scheduled extends Expiry>(
    expiries: readonly Scheduled[],
    attempt = 1,
  ): Promise<Unsent<Scheduled>> {
    const now = Date.now();
    const { failed, reasons } = await sendInBatches(this.#queue, expiries, (expiry) => ({
      MessageBody: bodyOf(expiry),
      DelaySeconds: delayOf(expiry, now),
    }));
    if (failed.length === 0 || attempt === attempts) return { failed, reasons };
    await setTimeout(Math.random() * longestWait);
    return await this.schedule(failed, attempt + 1);
  }

  /** Sets when messages come again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches(this.#queue, messages);
  }
}

/** @returns nothing for a message that is none of ours */
export function readExpiry(body: string): Expiry | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), expiry), body);
  return result.success ? result.output : undefined;
}
