import type { Held } from '../aws/batch-queue.ts';
import { failures, type BatchResponse } from './batch-lambda.ts';
import { describeFault, logger } from '../kernel/observability.ts';

/** A message to receive again, after the given number of seconds. */
export type UnfinishedMessage = Held & { messageId: string };

/** Reports unfinished messages. If their visibility timeout cannot be set, the queue's own applies. */
export async function returnToQueue(
  queue: { hold: (messages: readonly Held[]) => Promise<void> },
  left: readonly UnfinishedMessage[],
): Promise<BatchResponse> {
  if (left.length > 0)
    await queue.hold(left).catch((error: unknown) => {
      logger.warn('not held', { fault: describeFault(error) });
    });
  return failures(left.map(({ messageId }) => messageId));
}
