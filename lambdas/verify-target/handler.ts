import type { SQSEvent, SQSRecord } from 'aws-lambda';
import {
  readVerificationRequest,
  type VerificationQueue,
  type VerificationRequest,
} from '../../core/export/verification/verification-queue.ts';
import type { BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import {
  verifyTarget,
  type Verification,
  type VerificationDeps,
} from '../../core/export/verification/verify-target.ts';
import { returnToQueue } from '../../core/lambda/return-to-queue.ts';

export type Deps = VerificationDeps & { queue: Pick<VerificationQueue, 'hold'> };

/** Seconds. Short at first, as an operator may be waiting; then longer, to spare AWS. */
const longestWait = 300;
const waitAfter = (receives: number): number => Math.min(longestWait, 2 ** Math.min(receives, 10));

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

/** @returns in how many seconds the message comes again, if it does */
async function attempt(
  deps: Deps,
  request: VerificationRequest,
  receives: number,
): Promise<number | undefined> {
  try {
    const verification = await verifyTarget(deps, request, Date.now());
    log(request, verification);
    return 'again' in verification ? waitAfter(receives) : undefined;
  } catch (error) {
    const { tenantId, category } = request;
    logger.error('verification', { tenantId, category, outcome: 'error', fault: describeFault(error) });
    return waitAfter(receives);
  }
}

/** An unreadable message stays until it is a dead letter, for people to see. */
async function handle(deps: Deps, { messageId, body, attributes }: SQSRecord): Promise<number | undefined> {
  const receives = Number(attributes.ApproximateReceiveCount);
  const request = readVerificationRequest(body);
  if (request) return await attempt(deps, request, receives);
  logger.error('unreadable', { messageId });
  return waitAfter(receives);
}

/** Tests trust in targets, several at once: each test waits for the tenant's AWS account. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: SQSEvent): Promise<BatchResponse> => {
    const handled = await Promise.all(
      Records.map(async (record) => ({ record, seconds: await handle(deps, record) })),
    );
    const left = handled.flatMap(({ record: { messageId, receiptHandle }, seconds }) =>
      seconds === undefined ? [] : [{ messageId, receiptHandle, seconds }],
    );
    return await returnToQueue(deps.queue, left);
  };
