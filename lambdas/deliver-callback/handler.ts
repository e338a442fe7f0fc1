import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { readCallbackMessage } from '../../core/callbacks/callback-message.ts';
import { measureCallbacks } from '../../core/callbacks/callback-metrics.ts';
import type { CallbackQueue } from '../../core/callbacks/callback-queue.ts';
import {
  firstAttempt,
  type FirstAttemptDeps,
  type FirstOutcome,
} from '../../core/callbacks/first-attempt.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import type { BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { returnToQueue } from '../../core/lambda/return-to-queue.ts';

export type Deps = FirstAttemptDeps & { queue: CallbackQueue };

/** Seconds after a fault of our own: short at first, then longer, to spare a service in trouble. */
const waitAfter = (receives: number): number => Math.min(300, 2 ** Math.min(receives - 1, 10));

/** A malformed message comes again until it is a dead letter, so that operators see it. */
async function handle(deps: Deps, { body, messageId }: SQSRecord): Promise<FirstOutcome | undefined> {
  const message = readCallbackMessage(body);
  if (!message || message.kind === 'test') {
    logger.error('unreadable', { messageId });
    return undefined;
  }
  const { kind, tenantId, challengeId } = message;
  try {
    const outcome = await firstAttempt(deps, message);
    logger.info('callback', { ...outcome, kind, tenantId, challengeId });
    return outcome;
  } catch (error) {
    logger.error('callback', { kind, tenantId, challengeId, fault: describeFault(error) });
    return undefined;
  }
}

/** Sends the first attempts of callbacks. All calls of a batch are made at once. */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: SQSEvent): Promise<BatchResponse> => {
    const handled = await Promise.all(
      Records.map(async (record) => ({ record, outcome: await handle(deps, record) })),
    );
    measureCallbacks(handled.flatMap(({ outcome }) => outcome ?? []));
    const unfinished = handled.filter(({ outcome }) => !outcome);
    return await returnToQueue(
      deps.queue,
      unfinished.map(({ record: { messageId, receiptHandle, attributes } }) => ({
        messageId,
        receiptHandle,
        seconds: waitAfter(Number(attributes.ApproximateReceiveCount)),
      })),
    );
  };
