import type { DynamoDBStreamEvent } from 'aws-lambda';
import type { CallbackQueue } from '../../core/callbacks/callback-queue.ts';
import type { ExpirySchedule } from '../../core/confirmations/expiry-schedule.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { logger } from '../../core/kernel/observability.ts';
import { readRecord } from './read-record.ts';

export type Deps = { schedule: ExpirySchedule; callbacks: CallbackQueue };

/**
 * Schedules the expiry of every confirmation that was sent, after the send, which does not wait for it. Queues the callbacks
 * of every confirmation that has ended.
 */
export const createHandler =
  ({ schedule, callbacks }: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> => {
    const read = Records.map(readRecord);
    const expiries = read.flatMap((one) => one.expiries);
    const ended = read.flatMap((one) => one.ended);
    const [unscheduled, unqueued] = await Promise.all([schedule.add(expiries), callbacks.send(ended)]);
    const failed = [...unscheduled.failed, ...unqueued.failed];
    const outcome = {
      scheduled: expiries.length - unscheduled.failed.length,
      callbacks: ended.length - unqueued.failed.length,
      failed: failed.length,
    };
    if (failed.length === 0) logger.info('scheduled', outcome);
    else
      logger.error('not scheduled', { ...outcome, reasons: [...unscheduled.reasons, ...unqueued.reasons] });
    return failures([...new Set(failed.map(({ sequenceNumber }) => sequenceNumber))]);
  };
