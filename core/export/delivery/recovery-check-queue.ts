import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Target } from '../targets/target.ts';
import { describeTarget, isTargetName, type TargetRef } from '../../events/target-ref.ts';
import { holdInBatches } from '../../aws/batch-queue.ts';

/** A message that has a target checked later. */
export type RecoveryCheck = {
  ref: TargetRef;
  /** The watermarks of the target when the check was sent. */
  mark: string;
  /** In milliseconds since 1970. */
  askedAt: number;
  messageId: string;
  receiptHandle: string;
};

type Watermarks = Pick<Target, 'parkedThrough' | 'drainedThrough'>;

const sorted = (watermarks: Record<string, string>) =>
  Object.entries(watermarks).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Changes as soon as events are parked, or delivered from parking. */
export const markOf = ({ parkedThrough, drainedThrough }: Watermarks): string =>
  createHash('sha256')
    .update(JSON.stringify([sorted(parkedThrough), sorted(drainedThrough)]))
    .digest('hex');

/** Stands in the message group in place of a lane. */
const kind = 'check';

/**
 * A new trace for each check. Checks are sent and received by the same Lambda. With the SDK's trace header they would count
 * as one chain of calls, which Lambda stops after 16. No check sends another, so there is no loop. SQS takes this
 * attribute in place of the header
 * (https://docs.aws.amazon.com/xray/latest/devguide/xray-services-sqs.html).
 */
function newTrace(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}

/**
 * Without events nothing calls a slow target, so a message has it checked later. The message is in the queue of parked
 * records, because the Lambda of that queue decides about recovery. It has its own message group and delays no record.
 */
export class RecoveryCheckQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  async ask(target: TargetRef & Watermarks): Promise<void> {
    const id = randomUUID();
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#url,
        MessageBody: markOf(target),
        MessageGroupId: `${describeTarget(target)}#${kind}#${id}`,
        MessageDeduplicationId: id,
        MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: newTrace() } },
      }),
    );
  }

  /** Sets in how many seconds a check comes again. */
  async hold({ receiptHandle }: RecoveryCheck, seconds: number): Promise<void> {
    await holdInBatches({ client: this.#client, url: this.#url }, [{ receiptHandle, seconds }]);
  }
}

/** @returns nothing for any other message of the queue */
export function readRecoveryCheck(record: SQSRecord): RecoveryCheck | undefined {
  const { MessageGroupId = '', SentTimestamp } = record.attributes;
  const [tenantId, category, what] = MessageGroupId.split('#');
  if (!tenantId || !isTargetName(category) || what !== kind) return undefined;
  return {
    ref: { tenantId, category },
    mark: record.body,
    askedAt: Number(SentTimestamp),
    messageId: record.messageId,
    receiptHandle: record.receiptHandle,
  };
}
