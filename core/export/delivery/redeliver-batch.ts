import type { SQSRecord } from 'aws-lambda';
import type { FoundTargets } from '../targets/target-store.ts';
import { readParkedMessage, type ParkedMessage } from './parking-queue.ts';
import { readRecoveryCheck } from './recovery-check-queue.ts';
import type { Target } from '../targets/target.ts';
import { describeTarget } from '../../events/target-ref.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { checkRecovery } from './check-recovery.ts';
import { countOutcomes } from './export-metrics.ts';
import { mapConcurrent } from '../../kernel/map-concurrent.ts';
import { hold, redeliverLane, type Redelivered, type RedeliveryDeps } from './redeliver-lane.ts';

/** Lanes that are served at the same time. */
const atOnce = 16;

/** An unreadable message would come again without end. */
async function read({ deadLetters }: RedeliveryDeps, record: SQSRecord): Promise<ParkedMessage[]> {
  try {
    return [readParkedMessage(record)];
  } catch (error) {
    const { messageId, body: content } = record;
    logger.error('sent to dead letters', { messageId, fault: describeFault(error) });
    await deadLetters.add({ reason: String(error), source: { messageId }, content });
    return [];
  }
}

/** Parked messages of one lane, in order. */
type ParkedLane = { target: Target; messages: ParkedMessage[] };

async function redeliver(deps: RedeliveryDeps, { target, messages }: ParkedLane): Promise<Redelivered> {
  try {
    return await redeliverLane(deps, target, messages);
  } catch (error) {
    const { tenantId, category } = target;
    logger.error('not redelivered', { tenantId, category, fault: describeFault(error) });
    await hold(deps, messages, { notBefore: undefined, isMoving: false });
    return { target, delivered: 0, parked: 0, left: messages };
  }
}

/** Messages of a malformed target stay until an operator has corrected it. Those without a target are discarded. */
function targetless(messages: ParkedMessage[], { targets, malformed }: FoundTargets): ParkedMessage[] {
  const strays = messages.filter(({ ref }) => !targets.has(describeTarget(ref)));
  for (const { ref, count, messageId } of strays) logger.error('no target', { ...ref, count, messageId });
  return strays.filter(({ ref }) => malformed.has(describeTarget(ref)));
}

/**
 * Delivers messages of the parking queue to their targets.
 *
 * @returns ids of the messages that stay in the queue. If a message of a lane fails, all after it stay, too: this keeps
 * the order
 */
export async function redeliverBatch(deps: RedeliveryDeps, records: readonly SQSRecord[]): Promise<string[]> {
  const checks = records.map(readRecoveryCheck).filter((check) => check !== undefined);
  const early = await checkRecovery(deps, checks);
  const parked = records.filter((record) => !readRecoveryCheck(record));
  const parsed = await mapConcurrent(parked, atOnce, async (record) => await read(deps, record));
  const messages = parsed.flat();
  const found = await deps.targets.load(messages.map(({ ref }) => ref));
  const lanes = Map.groupBy(messages, ({ ref, lane }) => `${describeTarget(ref)}#${lane}`);
  const jobs = [...lanes.values()].flatMap((its): ParkedLane[] => {
    const target = its[0] && found.targets.get(describeTarget(its[0].ref));
    return target ? [{ target, messages: its }] : [];
  });
  const redelivered = await mapConcurrent(jobs, atOnce, async (job) => await redeliver(deps, job));
  countOutcomes(redelivered);
  const left = [...redelivered.flatMap((outcome) => outcome.left), ...targetless(messages, found)];
  return [...early, ...left.map(({ messageId }) => messageId)];
}
