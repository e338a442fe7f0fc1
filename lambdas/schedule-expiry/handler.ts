import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Expiry } from '../../core/confirmations/expiry-queue.ts';
import type { ExpirySchedule } from '../../core/confirmations/expiry-schedule.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { logger } from '../../core/kernel/observability.ts';

export type Deps = { schedule: ExpirySchedule };

/** The partition key of an event is `tenant#aggregate`, and the aggregate of a confirmation is its challenge. */
function readRecord({ dynamodb }: DynamoDBRecord): (Expiry & { sequenceNumber: string })[] {
  const { NewImage: image = {}, SequenceNumber: sequenceNumber = '' } = dynamodb ?? {};
  const [tenantId, challengeId] = image['pk']?.S?.split('#') ?? [];
  const expiresAt = Number(image['expiresAt']?.N);
  if (tenantId && challengeId && expiresAt > 0) return [{ tenantId, challengeId, expiresAt, sequenceNumber }];
  // A failure would block all records behind it.
  logger.error('unreadable', { sequenceNumber });
  return [];
}

/** Schedules the expiry of every confirmation that was sent, after the send, which does not wait for it. */
export const createHandler =
  ({ schedule }: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<BatchResponse> => {
    const expiries = Records.flatMap(readRecord);
    const { failed, reasons } = await schedule.add(expiries);
    const outcome = { scheduled: expiries.length - failed.length, failed: failed.length };
    if (failed.length === 0) logger.info('scheduled', outcome);
    else logger.error('not scheduled', { ...outcome, reasons });
    return failures(failed.map(({ sequenceNumber }) => sequenceNumber));
  };
