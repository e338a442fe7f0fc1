import type { SQSEvent, SQSRecord } from 'aws-lambda';
import {
  readVerificationRequest,
  type VerificationQueue,
  type VerificationRequest,
} from '../../core/export/verification/verification-queue.ts';
import type { BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import { seconds } from '../../core/kernel/time.ts';
import { receivesOfAMessage, type TestMessage } from '../../core/export/verification/test-record.ts';
import {
  verifyTarget,
  type Verification,
  type VerificationDeps,
} from '../../core/export/verification/verify-target.ts';
import { returnToQueue } from '../../core/lambda/return-to-queue.ts';

export type Deps = VerificationDeps & { queue: Pick<VerificationQueue, 'hold'> };

/** Seconds, after a failure of the service's own. */
const longestWaitSeconds = 60;
const waitAfter = (receives: number): number => Math.min(longestWaitSeconds, 2 ** Math.min(receives, 10));

/** Logs neither the proof nor messages of AWS about a tenant's resources. The target's record has those. */
function log({ tenantId, category }: VerificationRequest, verification: Verification): void {
  const { outcome } = verification;
  if ('fault' in verification) {
    const { actor, code } = verification.fault;
    logger.warn('verification', { tenantId, category, outcome, actor, code });
  } else {
    logger.info('verification', { tenantId, category, outcome });
  }
}

/** @returns when the message comes again, if it does, in milliseconds since 1970 */
async function attempt(
  deps: Deps,
  request: VerificationRequest,
  message: TestMessage,
): Promise<number | undefined> {
  try {
    const verification = await verifyTarget(deps, { ...request, message });
    log(request, verification);
    if (message.receives >= receivesOfAMessage) return undefined;
    return 'againAt' in verification ? verification.againAt : undefined;
  } catch (error) {
    const { tenantId, category } = request;
    logger.error('verification', { tenantId, category, outcome: 'error', fault: describeFault(error) });
    return Date.now() + waitAfter(message.receives) * seconds;
  }
}

/** An unreadable message stays until it is a dead letter, for people to see. */
async function handle(deps: Deps, { messageId, body, attributes }: SQSRecord): Promise<number | undefined> {
  const receives = Number(attributes.ApproximateReceiveCount);
  const request = readVerificationRequest(body);
  if (request) {
    const message = { id: messageId, sentAt: Number(attributes.SentTimestamp), receives };
    return await attempt(deps, request, message);
  }
  logger.error('unreadable', { messageId });
  return Date.now() + waitAfter(receives) * seconds;
}

/** A test that another one of its batch outlasted is repeated when it was to be. */
const secondsUntil = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / seconds));

/** Tests trust in targets, several at once: each test waits for the tenant's AWS account. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: SQSEvent): Promise<BatchResponse> => {
    const handled = await Promise.all(
      Records.map(async (record) => ({ record, againAt: await handle(deps, record) })),
    );
    const left = handled.flatMap(({ record: { messageId, receiptHandle }, againAt }) =>
      againAt === undefined ? [] : [{ messageId, receiptHandle, seconds: secondsUntil(againAt) }],
    );
    return await returnToQueue(deps.queue, left);
  };
