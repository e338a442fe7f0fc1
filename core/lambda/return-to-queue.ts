import type { Held } from '../aws/batch-queue.ts';
import { failures, type BatchResponse } from './batch-lambda.ts';
import { describeFault, logger } from '../kernel/observability.ts';

/** A message that is not done, and in how many seconds somebody is to look again. */
export type UnfinishedMessage = Held & { messageId: string };

/** Answers that these are not done. Where they cannot be held they come again after the queue's own visibility timeout. */
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
