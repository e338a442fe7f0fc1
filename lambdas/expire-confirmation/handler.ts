import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import { readExpiry, type Expiry, type ExpiryQueue } from '../../core/confirmations/expiry-queue.ts';
import type { BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { seconds } from '../../core/kernel/time.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import { expireIfDue, type ExpiryDeps } from '../../core/confirmations/expire-if-due.ts';
import { returnToQueue } from '../../core/lambda/return-to-queue.ts';

export type Deps = ExpiryDeps & { queue: ExpiryQueue };

/** What became of a confirmation; with `again`, in how many seconds somebody has to look again. */
type Outcome =
  { outcome: 'expired' | 'decided' | 'missing' } | { outcome: 'early' | 'failed'; again: number };

type Attempt = { traceId: string; receives: number };

/** Seconds: soon at first, as an expiry is to be recorded within a minute; then easy on a table in trouble. */
const longestWait = 300;
const waitAfter = (receives: number): number => Math.min(longestWait, 2 ** Math.min(receives, 10));

async function expire(deps: Deps, { challengeId }: Expiry, traceId: string): Promise<Outcome> {
  const now = Date.now();
  const confirmation = await deps.confirmations.find(challengeId, now);
  if (!confirmation) return { outcome: 'missing' };
  if (confirmation.status !== 'pending') return { outcome: 'decided' };
  if (now < confirmation.expiresAt) {
    return { outcome: 'early', again: Math.ceil((confirmation.expiresAt - now) / seconds) };
  }
  const { status } = await expireIfDue(deps, confirmation, { now, origin: { traceId } });
  return { outcome: status === 'expired' ? 'expired' : 'decided' };
}

async function attempt(deps: Deps, expiry: Expiry, { traceId, receives }: Attempt): Promise<Outcome> {
  const { tenantId, challengeId } = expiry;
  try {
    const done = await expire(deps, expiry, traceId);
    logger.info('expiry', { ...done, tenantId, challengeId });
    return done;
  } catch (error) {
    const failed: Outcome = { outcome: 'failed', again: waitAfter(receives) };
    logger.error('expiry', { ...failed, tenantId, challengeId, fault: describeFault(error) });
    return failed;
  }
}

/** A message that is none of ours stays until it is a dead letter, for people to see. */
async function handle(deps: Deps, record: SQSRecord, { awsRequestId }: Context): Promise<Outcome> {
  const receives = Number(record.attributes.ApproximateReceiveCount);
  const expiry = readExpiry(record.body);
  if (expiry) return await attempt(deps, expiry, { traceId: awsRequestId, receives });
  logger.error('unreadable', { messageId: record.messageId });
  return { outcome: 'failed', again: waitAfter(receives) };
}

/** Records the expiry of those confirmations that nobody answered or asked for. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: SQSEvent, context: Context): Promise<BatchResponse> => {
    const outcomes = await Promise.all(
      Records.map(async (record) => ({ record, outcome: await handle(deps, record, context) })),
    );
    const left = outcomes.flatMap(({ record: { messageId, receiptHandle }, outcome }) =>
      'again' in outcome ? [{ messageId, receiptHandle, seconds: outcome.again }] : [],
    );
    return await returnToQueue(deps.queue, left);
  };
