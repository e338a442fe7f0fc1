import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { Target } from '../targets/target.ts';
import { categories, describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { holdInBatches } from '../../aws/batch-queue.ts';

/** A look at a target, in a while. */
export type RecoveryCheck = {
  ref: TargetRef;
  /** How far the target was when it was asked for. */
  mark: string;
  /** In milliseconds since 1970. */
  askedAt: number;
  messageId: string;
  receiptHandle: string;
};

type Places = Pick<Target, 'parkedThrough' | 'drainedThrough'>;

const sorted = (places: Record<string, string>) =>
  Object.entries(places).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Another one as soon as anything was parked or delivered from parking. */
export const markOf = ({ parkedThrough, drainedThrough }: Places): string =>
  createHash('sha256')
    .update(JSON.stringify([sorted(parkedThrough), sorted(drainedThrough)]))
    .digest('hex');

/** What stands where messages of parked records name their lane. */
const kind = 'check';

/**
 * A trace of its own. The redelivery gets the checks that it asks for, and a batch has several: with the SDK's header each
 * would go on with the chain of calls that Lambda counts, and after 16 calls Lambda hands it over no more. No check sends
 * another, so none is part of a loop. SQS takes this attribute in place of the header
 * (https://docs.aws.amazon.com/xray/latest/devguide/xray-services-sqs.html).
 */
function newTrace(): string {
  const seconds = Math.floor(Date.now() / 1_000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}

/**
 * Nobody calls a slow target without events: a message looks at it again. It is in the queue of parked records, whose
 * Lambda is the one to judge, in a group of its own: there it holds up nothing.
 */
export class RecoveryCheckQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  async ask(target: TargetRef & Places): Promise<void> {
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
  const [tenantId, name, what] = MessageGroupId.split('#');
  const category = categories.find((one) => one === name);
  if (!tenantId || !category || what !== kind) return undefined;
  return {
    ref: { tenantId, category },
    mark: record.body,
    askedAt: Number(SentTimestamp),
    messageId: record.messageId,
    receiptHandle: record.receiptHandle,
  };
}
