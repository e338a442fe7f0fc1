import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import { CallbackQueue } from '../../core/callbacks/callback-queue.ts';
import { CallSlotStore } from '../../core/callbacks/call-slot-store.ts';
import { batchLambda, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { callbackDeps } from '../../core/lambda/callback-wiring.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { type CallbackMessage, readCallbackMessage } from '../../core/callbacks/callback-message.ts';
import { measureCallbacks } from '../../core/callbacks/callback-metrics.ts';
import { furtherAttempt, type FurtherOutcome } from '../../core/callbacks/further-attempt.ts';
import { testReceiver } from '../../core/callbacks/test-receiver.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import { returnToQueue } from '../../core/lambda/return-to-queue.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  ...callbackDeps(client, env),
  slots: new CallSlotStore(client, env.ATTEMPTS_TABLE),
  queue: new CallbackQueue(sqsClient(), env.RETRIES_QUEUE_URL),
};

/** Seconds: a message may be hidden for 12 hours after it was received. */
const longestHoldSeconds = 11 * 60 * 60;

const secondsOf = (milliseconds: number): number =>
  Math.min(longestHoldSeconds, Math.ceil(milliseconds / 1000));

/** Seconds after a fault of our own: short at first, then longer, to spare a service in trouble. */
const waitAfter = (receives: number): number => Math.min(300, 2 ** Math.min(receives, 10));

/** `retryAfter`, in seconds, is present where the message must be received again. */
type Handled = { outcome?: FurtherOutcome; retryAfter?: number };

async function run(message: CallbackMessage): Promise<Handled> {
  if (message.kind === 'test') {
    const { testId, clientId } = message;
    logger.info('callback test', { ...(await testReceiver(deps, message)), testId, clientId });
    return {};
  }
  const { kind, tenantId, challengeId } = message;
  const outcome = await furtherAttempt(deps, message);
  logger.info('callback', { ...outcome, kind, tenantId, challengeId });
  return { outcome, ...('waitMs' in outcome && { retryAfter: secondsOf(outcome.waitMs) }) };
}

/** A malformed message comes again until it is a dead letter, so that operators see it. */
async function handle({ body, messageId, attributes }: SQSRecord): Promise<Handled> {
  const retryAfter = waitAfter(Number(attributes.ApproximateReceiveCount));
  const message = readCallbackMessage(body);
  if (!message) {
    logger.error('unreadable', { messageId });
    return { retryAfter };
  }
  try {
    return await run(message);
  } catch (error) {
    logger.error('callback', { messageId, fault: describeFault(error) });
    return { retryAfter };
  }
}

/** Sends further attempts of callbacks, those of receivers that are not known to be quick, and test calls. */
export const handler = batchLambda(async ({ Records }: SQSEvent): Promise<BatchResponse> => {
  const handled = await Promise.all(Records.map(async (record) => ({ record, ...(await handle(record)) })));
  measureCallbacks(handled.flatMap(({ outcome }) => outcome ?? []));
  return await returnToQueue(
    deps.queue,
    handled.flatMap(({ record: { messageId, receiptHandle }, retryAfter: seconds }) =>
      seconds === undefined ? [] : [{ messageId, receiptHandle, seconds }],
    ),
  );
});
