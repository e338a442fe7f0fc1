import { ConsumerError } from '../consumer-error.ts';
import type { Event } from '../event.ts';
import { findMissing, isProbablyEqual, type Missing } from './compare-hour.ts';
import { readCopy, type Copy } from './copy.ts';
import type { Exports } from './exports-client.ts';
import type { Category, LedgerHour, Replay } from './types.ts';

const hourMs = 3_600_000;
/** A bucket gets its events after 5 minutes, and a stream's retries take less. */
const settledAfterMs = 15 * 60_000;

export type ReconcileOptions = {
  exports: Pick<Exports, 'list' | 'ledger' | 'eventIds' | 'replay'>;
  category: Category;
  from: Date;
  to: Date;
  /** All events that you have of this time. More do no harm. */
  copy: AsyncIterable<Event> | Iterable<Event>;
  /** Your tenant, if the copy has events of several. */
  tenantId?: string;
  /** Asks for a replay of what is missing. */
  repair?: boolean;
  /** The clock, for tests. */
  now?: () => number;
};

export type HourResult = {
  /** The hour of acceptance, by its begin. */
  hour: string;
  /** Events that the service accepted, of the types that the target exports. */
  count: number;
  /** `unjudged`: the hour is not over, or its events still wait or are on their way. */
  status: 'complete' | 'incomplete' | 'unjudged';
  missing?: Missing;
};

export type ReplayResult = { from: string; to: string; replay?: Replay; error?: ConsumerError };

export type Reconciliation = {
  /** No event is missing, and every hour could be judged. */
  complete: boolean;
  /** Hours that cannot be judged yet: they are not over, or their events still wait or came in the last 15 minutes. */
  unjudged: string[];
  hours: HourResult[];
  missingCount: number;
  missing: string[];
  replays: ReplayResult[];
};

/**
 * Compares your copy with the service's ledger: names the events that you lack, and asks for their replay.
 *
 * @throws {ConsumerError} if the service cannot be asked
 */
export async function reconcile(options: ReconcileOptions): Promise<Reconciliation> {
  const { exports, category, from, to, repair = false, now = Date.now } = options;
  const target = (await exports.list()).find((one) => one.category === category);
  if (!target) throw new ConsumerError('invalid-options', `There is no export of the category ${category}.`);
  const ledger = await exports.ledger(category, { from, to });
  const copy = await readCopy(options.copy, isOf(options));
  const unjudgedFrom = Math.min(now() - settledAfterMs, Date.parse(target.oldestWaitingAt ?? '') || Infinity);
  const filter = target.types?.length ? target.types : undefined;
  const hours: HourResult[] = [];
  for (const hour of ledger) {
    const isUnjudged = !hour.final || Date.parse(hour.hour) + hourMs > unjudgedFrom;
    const result = isUnjudged ? undefined : await missingOf(hour, copy, { exports, category, filter });
    hours.push(describe(hour, filter, isUnjudged, result));
  }
  const missing = hours.flatMap((hour) => hour.missing?.eventIds ?? []);
  const missingCount = hours.reduce((sum, hour) => sum + (hour.missing?.count ?? 0), 0);
  const replays = repair ? await askForReplays(hours, exports, category) : [];
  const unjudged = hours.filter(({ status }) => status === 'unjudged').map(({ hour }) => hour);
  const complete = missingCount === 0 && unjudged.length === 0;
  return { complete, unjudged, hours, missingCount, missing, replays };
}

/** The events of the copy that the ledger is about. */
function isOf({ category, tenantId }: ReconcileOptions): (event: Event) => boolean {
  const tenant = tenantId?.toLowerCase();
  return ({ metadata }) =>
    metadata.category === category && (tenant === undefined || metadata.tenantId.toLowerCase() === tenant);
}

type Surroundings = Pick<ReconcileOptions, 'exports' | 'category'> & {
  filter: readonly string[] | undefined;
};

/** Digests tell quickly that an hour is complete. Otherwise its ids are compared. */
async function missingOf(
  hour: LedgerHour,
  copy: Copy,
  { exports, category, filter }: Surroundings,
): Promise<Missing | undefined> {
  if (isProbablyEqual(hour, copy, filter)) return undefined;
  const missing = await findMissing(hour, exports.eventIds(category, hour.hour), copy, filter);
  return missing.count > 0 ? missing : undefined;
}

function describe(
  hour: LedgerHour,
  filter: readonly string[] | undefined,
  isUnjudged: boolean,
  missing: Missing | undefined,
): HourResult {
  const counts = Object.entries(hour.types).filter(([type]) => filter?.includes(type) ?? true);
  const count = counts.reduce((sum, [, one]) => sum + one.count, 0);
  if (isUnjudged) return { hour: hour.hour, count, status: 'unjudged' };
  if (!missing) return { hour: hour.hour, count, status: 'complete' };
  return { hour: hour.hour, count, status: 'incomplete', missing };
}

type Gap = { from: number; to: number; types: Set<string> };

/** Hours that follow each other become one replay. */
function gapsOf(hours: readonly HourResult[]): Gap[] {
  const gaps: Gap[] = [];
  for (const { hour, missing } of hours) {
    if (!missing) continue;
    const from = Date.parse(hour);
    const last = gaps.at(-1);
    if (last?.to === from) {
      last.to += hourMs;
      for (const type of missing.types) last.types.add(type);
    } else gaps.push({ from, to: from + hourMs, types: new Set(missing.types) });
  }
  return gaps;
}

async function askForReplays(
  hours: readonly HourResult[],
  exports: ReconcileOptions['exports'],
  category: Category,
): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  for (const gap of gapsOf(hours)) {
    const [from, to] = [new Date(gap.from), new Date(gap.to)];
    const range = { from: from.toISOString(), to: to.toISOString() };
    try {
      const replay = await exports.replay(category, { from, to, types: [...gap.types].sort() });
      results.push({ ...range, replay });
    } catch (error) {
      // The service limits replays. The result of the comparison must be returned nevertheless.
      if (!(error instanceof ConsumerError)) throw error;
      results.push({ ...range, error });
    }
  }
  return results;
}
