import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { readReplay } from '../../core/adapters/replay-queue.ts';
import { failures, type BatchResponse } from '../../core/batch-lambda.ts';
import { describeFault, logger } from '../../core/observability.ts';
import { replayEvents, type ReplayDeps } from '../../core/operations/replay-events.ts';

/** A message that is none of ours stays until it is a dead letter, for people to see. */
async function isDone(deps: ReplayDeps, { messageId, body }: SQSRecord): Promise<boolean> {
  const replay = readReplay(body);
  if (!replay) {
    logger.error('unreadable', { messageId });
    return false;
  }
  try {
    await replayEvents(deps, replay);
    return true;
  } catch (error) {
    const { replayId, tenantId, category } = replay;
    logger.error('not replayed', { replayId, tenantId, category, fault: describeFault(error) });
    return false;
  }
}

/** Sends events that were exported before once more, a portion a message. */
export const createHandler =
  (deps: ReplayDeps) =>
  async ({ Records }: SQSEvent): Promise<BatchResponse> => {
    const failed: string[] = [];
    for (const record of Records) if (!(await isDone(deps, record))) failed.push(record.messageId);
    return failures(failed);
  };
