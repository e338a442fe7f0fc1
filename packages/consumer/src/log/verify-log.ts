import { ConsumerError } from '../consumer-error.ts';
import type { Exports } from '../exports/exports-client.ts';
import type { Category, InclusionProof } from '../exports/types.ts';
import type { Checkpoint } from './checkpoint.ts';
import { compareErased, compareMinute, readCopy, type CopiedEvent, type LogCopy } from './compare-minute.ts';
import type { LogFinding } from './log-error.ts';
import { isIncluded } from './verify-inclusion.ts';
import { verifyTree, type LogState, type VerifyTreeOptions } from './verify-tree.ts';

const dayMs = 24 * 3_600_000;
/** An event is in the log when its minute is closed: 90 seconds after the minute at most. */
const settledAfterMs = 4 * 60_000;
/** Leaves are kept so long. */
const keptMs = 14 * dayMs;
const minutesAtOnce = 8;
/** So many unknown events are looked for one by one. */
const mostLookedFor = 1_000;

/** `from` and `to` are the minutes whose events are compared. */
export type VerifyLogOptions = VerifyTreeOptions & {
  exports: Pick<Exports, 'logLeaves' | 'inclusionProof'>;
  /** Texts of all events that you have of this time, as `eventTexts` returns them. More do no harm. */
  copy: AsyncIterable<string> | Iterable<string>;
  /**
   * You chose to get only some types, so an event that the copy lacks is no finding. It is yours to say: by the service's word for
   * it, an operator could remove events unseen.
   */
  filtered?: boolean;
};

export type LogVerification = {
  /** Nothing was found. */
  ok: boolean;
  findings: LogFinding[];
  /** Keep it: it is what the service can never take back. */
  checkpoint: string;
  size: number;
  /** To go on from next time. */
  state: LogState;
  /** Events of the log that were compared. */
  compared: number;
  /**
   * Events of the log that were erased, with the users whom they were about, and that the copy does not have either. Their hashes are
   * verified. Compare them with the counts of the `UserErasedEvent`s: nothing else erases events.
   */
  erased: number;
  /** Events of the copy that are too new, or too old, to be looked for in the log. */
  open: number;
};

/**
 * Verifies that the service, its operator included, changed nothing: that the log contains every checkpoint that is known, and
 * that its minutes have exactly the events of your copy.
 *
 * @throws {ConsumerError} if the service cannot be asked
 * @throws {LogError} if its checkpoint is not one: `malformed-checkpoint`, `other-log` or `wrong-signature`
 */
export async function verifyLog(options: VerifyLogOptions): Promise<LogVerification> {
  const { exports, category, now = Date.now } = options;
  const copy = await readCopy(options.copy, options);
  const kept = [...(options.kept ?? []), ...copy.checkpoints];
  const { checkpoint: served, logs, findings, minutes, state } = await verifyTree({ ...options, kept });
  let compared = 0;
  const isFiltered = options.filtered ?? false;
  await eachWithLimit(minutes, minutesAtOnce, async (minute) => {
    findings.push(
      ...(await compareMinute(
        exports.logLeaves(category, minute.minute, minute.generation),
        minute,
        copy,
        isFiltered,
      )),
    );
    compared += minute.count;
  });
  const erased = compareErased(copy);
  const { found, open } = await lookFor(options, copy, logs, now());
  findings.push(...found);
  return {
    ok: findings.length === 0,
    findings,
    checkpoint: served.text,
    size: served.size,
    state,
    compared,
    erased,
    open,
  };
}

/** The events of the copy that no minute had: the log has them elsewhere, or never had them. */
async function lookFor(
  { exports, category, from, to }: VerifyLogOptions,
  { byId }: LogCopy,
  logs: readonly Checkpoint[],
  now: number,
): Promise<{ found: LogFinding[]; open: number }> {
  const [first, end] = [Math.max(from.getTime(), now - keptMs), Math.min(to.getTime(), now - settledAfterMs)];
  const found: LogFinding[] = [];
  let open = 0;
  let looked = 0;
  for (const event of [...byId.values()].flat()) {
    const { at, isFound } = event;
    if (isFound || at < from.getTime() || at >= to.getTime()) continue;
    if (at < first || at >= end) open += 1;
    else if (looked < mostLookedFor) {
      looked += 1;
      const finding = await lookForOne(exports, category, event, logs);
      if (finding) found.push(finding);
    } else found.push(notInLog(event));
  }
  return { found, open };
}

async function lookForOne(
  exports: VerifyLogOptions['exports'],
  category: Category,
  event: CopiedEvent,
  logs: readonly Checkpoint[],
): Promise<LogFinding | undefined> {
  const { eventId } = event;
  for (const log of logs.toReversed()) {
    const proof = await proofIn(exports, category, event, log);
    if (!proof) continue;
    if (isIncluded(event, proof, log)) return undefined;
    return { fault: 'edited', detail: 'The service accepted an event with other content.', eventId };
  }
  return notInLog(event);
}

async function proofIn(
  exports: VerifyLogOptions['exports'],
  category: Category,
  event: CopiedEvent,
  { size, generation }: Checkpoint,
): Promise<InclusionProof | undefined> {
  try {
    return await exports.inclusionProof(category, event, size, generation);
  } catch (error) {
    if (error instanceof ConsumerError && error.code === 'not-in-log') return undefined;
    throw error;
  }
}

const notInLog = ({ eventId }: CopiedEvent): LogFinding => ({
  fault: 'added',
  detail: 'The service never accepted this event.',
  eventId,
});

async function eachWithLimit<T>(
  items: readonly T[],
  limit: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
}
