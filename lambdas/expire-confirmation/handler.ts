import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import {
  expireConfirmation,
  type ExpireDeps,
  type ExpiryOutcome,
} from '../../core/confirmations/expire-confirmation.ts';
import { readExpiry, type ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import type { BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { returnToQueue } from '../../core/lambda/return-to-queue.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';

export type Deps = ExpireDeps & { queue: ExpiryQueue };

/** Seconds. Short at first, because an expiry is recorded within a minute; then longer, to spare a table in trouble. */
const longestWaitSeconds = 300;
const waitAfter = (receives: number): number => Math.min(longestWaitSeconds, 2 ** Math.min(receives, 10));

/** A malformed message comes again until it is a dead letter, so that operators see it. */
async function handle(deps: Deps, record: SQSRecord, { awsRequestId }: Context): Promise<ExpiryOutcome> {
  const retryAfter = waitAfter(Number(record.attributes.ApproximateReceiveCount));
  const expiry = readExpiry(record.body);
  if (!expiry) {
    logger.error('unreadable', { messageId: record.messageId });
    return { outcome: 'failed', retryAfter };
  }
  const { tenantId, challengeId } = expiry;
  try {
    const outcome = await expireConfirmation(deps, challengeId, awsRequestId);
    logger.info('expiry', { ...outcome, tenantId, challengeId });
    return outcome;
  } catch (error) {
    const outcome: ExpiryOutcome = { outcome: 'failed', retryAfter };
    logger.error('expiry', { ...outcome, tenantId, challengeId, fault: describeFault(error) });
    return outcome;
  }
}

/** Records the expiry of confirmations that nobody answered or polled. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: SQSEvent, context: Context): Promise<BatchResponse> => {
    const outcomes = await Promise.all(
      Records.map(async (record) => ({ record, outcome: await handle(deps, record, context) })),
    );
    const unfinished = outcomes.flatMap(({ record: { messageId, receiptHandle }, outcome }) =>
      'retryAfter' in outcome ? [{ messageId, receiptHandle, seconds: outcome.retryAfter }] : [],
    );
    return await returnToQueue(deps.queue, unfinished);
  };
