import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { readReplay, type ReplayQueue } from '../../core/export/replays/replay-queue.ts';
import { failures, type BatchResponse } from '../../core/lambda/batch-lambda.ts';
import { describeFault, logger } from '../../core/kernel/observability.ts';
import { replayEvents, type ReplayDeps, type ReplayPace } from '../../core/export/replays/replay-events.ts';
import { returnToQueue, type UnfinishedMessage } from '../../core/lambda/return-to-queue.ts';

export type Deps = ReplayDeps & { queue: Pick<ReplayQueue, 'hold'> };

/** A message that is not done. If it waits on purpose, it has `seconds`. */
type NotDone = Pick<SQSRecord, 'messageId' | 'receiptHandle'> & { seconds?: number };

const waits = (message: NotDone): message is UnfinishedMessage => message.seconds !== undefined;

/** An unreadable message stays until it is a dead letter, for people to see. */
async function handle(deps: Deps, record: SQSRecord, pace: ReplayPace): Promise<NotDone[]> {
  const { messageId, receiptHandle, body, attributes } = record;
  const replay = readReplay(body);
  if (!replay) {
    logger.error('unreadable', { messageId });
    return [{ messageId, receiptHandle }];
  }
  try {
    const receives = Number(attributes.ApproximateReceiveCount);
    const seconds = await replayEvents(deps, { replay, receives }, pace);
    return seconds === undefined ? [] : [{ messageId, receiptHandle, seconds }];
  } catch (error) {
    const { replayId, tenantId, category } = replay;
    logger.error('not replayed', { replayId, tenantId, category, fault: describeFault(error) });
    return [{ messageId, receiptHandle }];
  }
}

/** Sends events once more, a portion for each message. */
export const createHandler =
  (deps: Deps, pace: ReplayPace) =>
  async ({ Records }: SQSEvent): Promise<BatchResponse> => {
    const notDone: NotDone[] = [];
    for (const record of Records) notDone.push(...(await handle(deps, record, pace)));
    await returnToQueue(deps.queue, notDone.filter(waits));
    return failures(notDone.map(({ messageId }) => messageId));
  };
