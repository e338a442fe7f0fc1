import { ConsumerError } from '../consumer-error.ts';
import type { Copy } from './copy.ts';
import { hashOf, RunningSum } from './ledger-sum.ts';
import type { LedgerHour } from './types.ts';

/** What a copy lacks of an hour. */
export type Missing = {
  count: number;
  /** Fewer than `count` if a filter of types hides which ids they are. */
  eventIds: string[];
  types: string[];
};

/** The types of an hour that the target exports. */
const wantedTypes = ({ types }: LedgerHour, filter: readonly string[] | undefined): string[] =>
  Object.keys(types).filter((type) => filter?.includes(type) ?? true);

/** True if the events that were probably accepted in this hour are exactly those of the ledger. */
export function isProbablyEqual(
  hour: LedgerHour,
  { sums }: Copy,
  filter: readonly string[] | undefined,
): boolean {
  const own = sums.get(Date.parse(hour.hour));
  return wantedTypes(hour, filter).every((type) => {
    const ledger = hour.types[type];
    return ledger !== undefined && RunningSum.of(ledger).equals(own?.get(type) ?? new RunningSum());
  });
}

/**
 * Compares an hour of the ledger with a copy, id by id.
 *
 * @throws {ConsumerError} `unexpected-answer` if the ids are not those of the hour's digest
 */
export async function findMissing(
  hour: LedgerHour,
  eventIds: AsyncIterable<string>,
  { types }: Copy,
  filter: readonly string[] | undefined,
): Promise<Missing> {
  const listed = new RunningSum();
  const found = new Map<string, RunningSum>();
  const absent: { eventId: string; hash: bigint }[] = [];
  for await (const eventId of eventIds) {
    const hash = hashOf(eventId);
    listed.add(hash);
    const type = types.get(eventId.toLowerCase());
    if (type === undefined) absent.push({ eventId, hash });
    else found.set(type, add(found.get(type), hash));
  }
  if (!listed.equals(RunningSum.of(hour))) throw wrongList(hour);
  const gaps = wantedTypes(hour, filter)
    .map((type) => ({ type, gap: gapOf(hour, type, found.get(type)) }))
    .filter(({ gap }) => gap.count > 0);
  return {
    count: gaps.reduce((sum, { gap }) => sum + gap.count, 0),
    eventIds: nameGaps(
      gaps.map(({ gap }) => gap),
      absent,
    ),
    types: gaps.map(({ type }) => type),
  };
}

function add(sum: RunningSum | undefined, hash: bigint): RunningSum {
  const current = sum ?? new RunningSum();
  current.add(hash);
  return current;
}

const gapOf = (hour: LedgerHour, type: string, found: RunningSum | undefined): RunningSum =>
  RunningSum.of(hour.types[type] ?? { count: 0, digest: '0' }).without(found ?? new RunningSum());

/** Absent ids also belong to types that the filter leaves out. The digests tell which of them should be there. */
function nameGaps(
  gaps: readonly RunningSum[],
  absent: readonly { eventId: string; hash: bigint }[],
): string[] {
  const all = new RunningSum();
  for (const { hash } of absent) all.add(hash);
  const expected = gaps.reduce((sum, gap) => sum.plus(gap), new RunningSum());
  if (all.equals(expected)) return absent.map(({ eventId }) => eventId);
  const single = new Set(gaps.filter(({ count }) => count === 1).map(({ sum }) => sum));
  return absent.filter(({ hash }) => single.has(hash)).map(({ eventId }) => eventId);
}

const wrongList = ({ hour }: LedgerHour): ConsumerError =>
  new ConsumerError('unexpected-answer', `The ids of ${hour} do not match its digest.`);
