import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  readProvisioningRequest,
  type ProvisioningQueue,
} from '../../core/export/kinds/bucket/provisioning/provisioning-queue.ts';
import type { BatchResponse } from '../../core/lambda/batch-lambda.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { seconds } from '../../core/kernel/time.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import {
  provisionTarget,
  type ProvisioningDeps,
} from '../../core/export/kinds/bucket/provisioning/provision-target.ts';
import type { Step } from '../../core/export/kinds/bucket/provisioning/provision-target.ts';
import { returnToQueue, type UnfinishedMessage } from '../../core/lambda/return-to-queue.ts';

export type Deps = ProvisioningDeps & { queue: ProvisioningQueue };

/** Milliseconds: the longest that a step takes, with calls that time out. With less time left, messages come again. */
const longestStepMs = 20 * seconds;
/** Seconds: the longest that SQS hides a message. */
const longestHoldSeconds = 43_200;

/** Seconds. A creation takes about a minute, a deletion some minutes, a corrected role more. */
const waitAfter = (receives: number): number => Math.min(30, 2 ** Math.min(receives, 5));

function waitOf(step: Step, receives: number): number | undefined {
  if (!('again' in step)) return undefined;
  if (step.outcome !== 'draining') return waitAfter(receives);
  return Math.min(longestHoldSeconds, Math.max(1, Math.ceil((step.until - Date.now()) / seconds)));
}

function log(ref: TargetRef, step: Step): void {
  const { outcome } = step;
  if ('fault' in step) {
    const { actor, code } = step.fault;
    logger.warn('provisioning', { ...ref, outcome, actor, code });
  } else {
    logger.info('provisioning', { ...ref, outcome });
  }
}

async function attempt(deps: Deps, ref: TargetRef, record: SQSRecord): Promise<number | undefined> {
  const { ApproximateReceiveCount, SentTimestamp } = record.attributes;
  const receives = Number(ApproximateReceiveCount);
  try {
    const step = await provisionTarget(deps, ref, { now: Date.now(), requestedAt: Number(SentTimestamp) });
    log(ref, step);
    return waitOf(step, receives);
  } catch (error) {
    logger.error('provisioning', { ...ref, outcome: 'error', fault: describeFault(error) });
    return waitAfter(receives);
  }
}

/** An unreadable message stays until it is a dead letter, for people to see. */
async function handle(deps: Deps, record: SQSRecord): Promise<UnfinishedMessage[]> {
  const { messageId, receiptHandle, body, attributes } = record;
  const ref = readProvisioningRequest(body);
  if (!ref) logger.error('unreadable', { messageId });
  const wait = ref ? await attempt(deps, ref, record) : waitAfter(Number(attributes.ApproximateReceiveCount));
  return wait === undefined ? [] : [{ messageId, receiptHandle, seconds: wait }];
}

/** Makes one step for each target, one after the other: Firehose takes few calls a second. */
export const createHandler =
  (deps: Deps) =>
  async (
    { Records }: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ): Promise<BatchResponse> => {
    const left: UnfinishedMessage[] = [];
    for (const record of Records) {
      const { messageId, receiptHandle } = record;
      if (context.getRemainingTimeInMillis() > longestStepMs) left.push(...(await handle(deps, record)));
      else left.push({ messageId, receiptHandle, seconds: 1 });
    }
    return await returnToQueue(deps.queue, left);
  };
