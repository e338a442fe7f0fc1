import { createHash } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { describeTarget, isTargetName, type TargetRef } from '../../events/target-ref.ts';
import { testEvent } from '../targets/target.ts';
import { holdInBatches, sendInBatches, type Held, type QueueAccess } from '../../aws/batch-queue.ts';

const request = v.object({
  tenantId: v.pipe(v.string(), v.uuid()),
  category: v.custom<TargetRef['category']>(isTargetName),
  /** What the owner read in the bucket. */
  proof: v.optional(v.string()),
  /** What is sent when the test has passed. */
  event: v.optional(testEvent),
});

export type VerificationRequest = v.InferOutput<typeof request>;

/** Seconds: the longest that SQS delays a message. */
const longestDelaySeconds = 900;

/** Each target has its own time within the delay, the same one every day. */
export const delayOf = (target: TargetRef): number =>
  createHash('sha256').update(describeTarget(target)).digest().readUInt32BE() % (longestDelaySeconds + 1);

/**
 * Targets whose trust is to be tested. A message only names the target, which is read when the message is handled. So
 * messages may come twice and in any order.
 */
export class VerificationQueue {
  readonly #queue: QueueAccess;

  constructor(client: SQSClient, url: string) {
    this.#queue = { client, url };
  }

  /** Sends a request, and returns the id of its message. */
  async send({ tenantId, category, proof, event }: VerificationRequest): Promise<string> {
    const body = {
      ...{ tenantId, category },
      ...(proof !== undefined && { proof }),
      ...(event && { event }),
    } satisfies VerificationRequest;
    const { client, url: QueueUrl } = this.#queue;
    const command = new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) });
    const { MessageId = '' } = await client.send(command);
    return MessageId;
  }

  /** Spread over a quarter of an hour. @returns those that SQS did not take */
  async spread(targets: readonly TargetRef[]): Promise<TargetRef[]> {
    const { failed } = await sendInBatches(this.#queue, targets, ({ tenantId, category }) => ({
      MessageBody: JSON.stringify({ tenantId, category } satisfies VerificationRequest),
      DelaySeconds: delayOf({ tenantId, category }),
    }));
    return failed;
  }

  /** Sets when messages come again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches(this.#queue, messages);
  }
}

/** @returns nothing for an unreadable message */
export function readVerificationRequest(body: string): VerificationRequest | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), request), body);
  return result.success ? result.output : undefined;
}
