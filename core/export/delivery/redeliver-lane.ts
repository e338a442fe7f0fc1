import type { ParkedMessage } from './parking-queue.ts';
import { deliveryLane, isReplayLane } from '../targets/lanes.ts';
import type { MessageProgress } from './message-progress.ts';
import { pack, packingOf, type Packable, type PackedRecord, type PackingOptions } from './packing.ts';
import { isPlace, propertiesOf } from '../kinds/records.ts';
import { splitEvents } from './split-events.ts';
import { isDrained, isSlow, mayCall, slowCodes, type Fault, type Target } from '../targets/target.ts';
import { seconds } from '../../kernel/time.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { fewEvents, type Delivery } from './send-with-retries.ts';
import { checkLater } from './check-recovery.ts';
import { askForDueTest, endTrouble, recover } from './recover.ts';
import { deliver, progressOf, noteFault } from './export-to-target.ts';
import type { DeliveryDeps } from './delivery-deps.ts';
import type { Outcome } from './export-metrics.ts';

/** Seconds. */
export type Backoff = { shortestSeconds: number; longestSeconds: number };

/**
 * Seconds until a parked record is tried again. They double with each attempt, up to the longest; jitter spreads the
 * records that failed together.
 *
 * @param attempt the one that failed, from 1 on
 */
export function redeliveryWait(
  attempt: number,
  { shortestSeconds, longestSeconds }: Backoff,
  random = Math.random(),
): number {
  const wait = Math.min(longestSeconds, shortestSeconds * 2 ** (attempt - 1));
  return Math.max(1, Math.round(wait * (0.5 + random / 2)));
}

/**
 * Milliseconds. Only more events of the same lane wait for a redelivery. So a call under way may take as long as the SDK's
 * clients wait: a slow target whose calls were aborted would get the same events again each time.
 */
export const perRedelivery = { calls: 5_000, patienceMs: 10_000 };

export type RedeliveryDeps = DeliveryDeps & { backoff: Backoff; progress: MessageProgress };

/** Messages in `left` stay in the queue. */
export type Redelivered = Outcome & { left: ParkedMessage[] };

const countOf = (messages: readonly ParkedMessage[]): number =>
  messages.reduce((total, { count }) => total + count, 0);

/** An attempt fails fast. A lane that is not held waits for the queue's whole visibility timeout. */
const holdAttempts = 3;

/** Seconds: a longer pause, which a receiver asks for, has several parts. */
const longestHoldSeconds = 900;

const secondsUntil = (time = 0): number =>
  Math.min(longestHoldSeconds, Math.ceil((time - Date.now()) / seconds));

/** All get the same wait: SQS hands out nothing of a group while one of its messages is invisible. */
export async function hold(
  { parking, backoff }: RedeliveryDeps,
  messages: ParkedMessage[],
  { notBefore, isMoving }: { notBefore: number | undefined; isMoving: boolean },
): Promise<void> {
  const [head] = messages;
  if (!head) return;
  const attempts = isMoving ? 1 : head.attempt;
  const wait = Math.max(redeliveryWait(attempts, backoff), secondsUntil(notBefore));
  for (let attempt = 1; attempt <= holdAttempts; attempt += 1) {
    try {
      await parking.hold(messages, wait);
      return;
    } catch (error) {
      logger.warn('not held', { attempt, fault: describeFault(error) });
    }
  }
}

type Sent = { done: number; refused: number; isMoving: boolean; fault?: Fault | undefined };

/**
 * Delivers messages of one lane in records as full as they can be.
 *
 * @returns how many of them, from the first on, are done, how many of their events the target will never take, and whether at
 * least an event was taken
 */
async function send(deps: RedeliveryDeps, target: Target, messages: ParkedMessage[]): Promise<Sent> {
  const firstSize = deps.unanswered.firstSize(target);
  const isCareful = firstSize !== undefined;
  const packing = { ...packingOf(target.destination), firstSize: () => firstSize };
  const entries = messages.flatMap((message, of) =>
    entriesOf(message, packing, isCareful, deps.progress).map((entry) => ({ ...entry, of })),
  );
  const records = recordsOf(entries, packing, target);
  const lane = deliveryLane(messages[0]?.lane ?? '');
  const inLane = records.map((record) => ({ ...record, lane }));
  const { calls, patienceMs } = perRedelivery;
  const delivery: Delivery =
    inLane.length > 0
      ? await deliver(deps, target, inLane, Date.now() + calls, patienceMs)
      : { undelivered: [] };
  const { undelivered, fault, refused: aside } = delivery;
  const next = Math.min(...undelivered.map(({ first }) => first), entries.length);
  const done = entries[next]?.of ?? messages.length;
  const begun = messages[done];
  // Also what is done: it comes again if the target's record cannot be written now.
  for (const { messageId, count } of messages.slice(0, done))
    deps.progress.add(messageId, count - deps.progress.of(messageId));
  if (begun)
    deps.progress.add(begun.messageId, entries.slice(0, next).filter(({ of }) => of === done).length);
  // Those behind come again.
  const gone = aside?.records.filter(({ first }) => first < next) ?? [];
  const refused = gone.reduce((total, { size }) => total + size, 0);
  const [first] = undelivered;
  // The next call is smaller.
  const shrinks = fault?.unanswered === true && first?.alone === true && first.size > fewEvents;
  return { done, refused, isMoving: next > 0 || shrinks, fault };
}

const notSent: Sent = { done: 0, refused: 0, isMoving: false };

/** An entry of the message at this position. */
type MessageEntry = Packable & { of: number };

/**
 * As full as they can be. But a webhook may have taken the first message without an answer: it goes alone, so that the receiver
 * knows the call by its id, and gets nothing else twice. One that is slow has answered.
 */
function recordsOf(
  entries: readonly MessageEntry[],
  packing: PackingOptions,
  target: Target,
): PackedRecord[] {
  const isUncertain = propertiesOf(target.destination).isSigned && target.fault?.code !== slowCodes.slow;
  const alone = isUncertain ? entries.filter(({ of }) => of === 0).length : 0;
  const packed = (from: number, to?: number): PackedRecord[] =>
    pack(entries.slice(from, to), { ...packing, lanes: 1 }).records.map((record) => ({
      ...record,
      first: record.first + from,
    }));
  return [...packed(0, alone), ...packed(alone)];
}

/**
 * A message as one entry, or its events: where it was parked for a destination that takes larger records, or where a part of it
 * may go, or went, before the rest.
 */
function entriesOf(
  { messageId, lane: orderingKey, events, count }: ParkedMessage,
  { limits }: PackingOptions,
  isCareful: boolean,
  progress: MessageProgress,
): Packable[] {
  const taken = progress.of(messageId);
  if (taken >= count) return [];
  const isLarger = limits && (count > limits.events || Buffer.byteLength(events) > limits.bytes);
  if (!isLarger && !isCareful && taken === 0) return [{ orderingKey, event: events, count }];
  const left = splitEvents(events).slice(taken);
  return left.map((event) => ({ orderingKey, event }));
}

/** Messages that wait no more, and how many of their events the target refused. */
type Done = { done: ParkedMessage[]; refused: number };

/** Raises the lane's watermark. Returns the target as it is then. */
async function drain(
  { watermarks }: RedeliveryDeps,
  target: Target,
  { done, refused }: Done,
): Promise<Target | undefined> {
  const last = done.at(-1);
  if (!last) return undefined;
  const events = countOf(done);
  // Discarded events were not delivered.
  const delivered = isPlace(target.destination) ? Math.max(0, events - refused) : 0;
  return await watermarks.drained(target, {
    watermark: [last.lane, last.position],
    counts: isReplayLane(last.lane)
      ? { replayed: delivered, replayWaiting: -events }
      : { accepted: 0, delivered, parked: -events },
    parkedAt: last.parkedAt,
    ...progressOf(target, delivered, done[0]?.parkedAt ?? last.parkedAt),
  });
}

/** Moves the target's state by what became of its messages. */
async function updateState(
  deps: RedeliveryDeps,
  target: Target,
  { done, refused }: Done,
  fault: Fault | undefined,
): Promise<void> {
  const current = (await drain(deps, target, { done, refused })) ?? target;
  // A slow target has taken everything: the fault for which it was parked is gone.
  const isTaken = !fault || fault.code === slowCodes.slow;
  if (fault && !(isTaken && current.state === 'parked')) await noteFault(deps, current, fault);
  else if (done.length === 0) return;
  else if (!fault && isDrained(current)) await endTrouble(deps, current);
  else if (current.state === 'parked' || current.fault) await recover(deps, current, fault);
  if (fault?.code === slowCodes.slow) await checkLater(deps, current);
}

/**
 * A stream that is disabled holds nothing, also if it is enabled again before the redelivery comes to what was parked.
 *
 * @returns the others
 */
async function discard(
  deps: RedeliveryDeps,
  target: Target,
  messages: ParkedMessage[],
): Promise<ParkedMessage[]> {
  const { tenantId, category, discardedBefore = 0 } = target;
  const kept = messages.filter(({ parkedAt }) => parkedAt >= discardedBefore);
  const discarded = messages.slice(0, messages.length - kept.length);
  if (discarded.length === 0) return kept;
  await updateState(
    deps,
    { ...target, destination: { kind: 'none' } },
    { done: discarded, refused: 0 },
    undefined,
  );
  logger.info('discarded', { tenantId, category, count: countOf(discarded) });
  return kept;
}

/** Tries parked messages of one lane again, in order. Messages that fail wait longer. */
export async function redeliverLane(
  deps: RedeliveryDeps,
  target: Target,
  parked: ParkedMessage[],
): Promise<Redelivered> {
  const messages = await discard(deps, target, parked);
  if (messages.length === 0) return { target, delivered: 0, parked: 0, left: [] };
  const { tenantId, category, destination } = target;
  const { done, refused, isMoving, fault } = mayCall(target, Date.now())
    ? await send(deps, target, messages)
    : notSent;
  const [delivered, left] = [messages.slice(0, done), messages.slice(done)];
  await updateState(deps, target, { done: delivered, refused }, fault);
  for (const { messageId } of delivered) deps.progress.forget(messageId);
  if (target.state === 'validating') await askForDueTest(deps, target);
  const { notBefore } = fault ?? target.fault ?? {};
  // The others had no time, or no answer: their target would wait longer for each message in turn.
  await hold(deps, left, {
    notBefore,
    isMoving: isMoving && (!fault || isSlow({ fault }) || fault.unanswered === true),
  });
  const outcome = { delivered: countOf(delivered) - refused, parked: 0 };
  logger.info('redelivered', {
    tenantId,
    category,
    kind: destination.kind,
    ...outcome,
    left: countOf(left),
    attempt: messages[0]?.attempt,
    ...(fault && { fault }),
  });
  return { target, ...outcome, left };
}
