import type { SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sha256Text } from '../kernel/identifiers.ts';
import { minutes, seconds } from '../kernel/time.ts';
import {
  holdInBatches,
  sendWithRetries,
  type Held,
  type QueueAccess,
  type Unsent,
} from '../aws/batch-queue.ts';

const expiry = v.object({ tenantId: v.string(), challengeId: sha256Text, expiresAt: v.number() });

/** A message about a confirmation. `expiresAt` is in milliseconds since 1970. */
export type Expiry = v.InferOutput<typeof expiry>;

/** Milliseconds: the longest delay of SQS. */
export const longestDelayMs = 15 * minutes;

/** Rounded up to whole seconds, because a message that arrives early has to wait again. */
const delayOf = ({ expiresAt }: Expiry, now: number): number =>
  Math.min(longestDelayMs / seconds, Math.max(0, Math.floor((expiresAt - now) / seconds) + 1));

const bodyOf = ({ tenantId, challengeId, expiresAt }: Expiry): string =>
  JSON.stringify({ tenantId, challengeId, expiresAt } satisfies Expiry);

/** An SQS queue that delays each message until its confirmation expires. */
export class ExpiryQueue {
  readonly #queue: QueueAccess;

  constructor(client: SQSClient, url: string) {
    this.#queue = { client, url };
  }

  /** @returns the messages that SQS did not accept, in their order, and the reasons */
  async schedule<Scheduled extends Expiry>(expiries: readonly Scheduled[]): Promise<Unsent<Scheduled>> {
    return await sendWithRetries(this.#queue, expiries, (expiry) => ({
      MessageBody: bodyOf(expiry),
      DelaySeconds: delayOf(expiry, Date.now()),
    }));
  }

  /** Sets when messages are received again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches(this.#queue, messages);
  }
}

/** @returns undefined for a malformed message */
export function readExpiry(body: string): Expiry | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), expiry), body);
  return result.success ? result.output : undefined;
}
