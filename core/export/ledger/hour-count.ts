import { acceptedIn, type IndexItem } from '../../events/event-index-store.ts';
import { indexShards, sequenceAt } from '../../events/event-keys.ts';
import { endOf, isFinal, isOfUse, settledAfterMs, startOf } from './hour.ts';
import { TypeSums, type LedgerSum } from './id-sum.ts';

/** What is kept of an hour. */
export type KeptHour = {
  hour: string;
  types: Record<string, LedgerSum>;
  /** The last sequence that is counted in each shard of the index. Empty if no event of the shard is counted. */
  counted: string[];
  /** True if the whole hour is counted. */
  final: boolean;
  /** When the count began, in milliseconds since 1970. */
  begun: number;
};

export type LedgerHour = LedgerSum & { hour: string; types: Record<string, LedgerSum>; final: boolean };

/** Fewer events are not worth a write: they are counted again. */
const worthKeeping = 1_000;

/** The count of an hour's events, which can be kept and continued. Events of a shard come in their order. */
export class HourCount {
  readonly hour: string;
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** No sequence of the hour is at this text or behind it. */
  readonly end: string;
  readonly #settled: TypeSums;
  /** Events that are so new that others may still come before them. */
  readonly #recent = new TypeSums();
  readonly #counted: string[];
  readonly #done: boolean[];
  readonly #keptCount: number;
  readonly #settledBefore: string;
  readonly #isFinal: boolean;
  readonly #begun: number;

  /** @param now of the service's clock, in milliseconds since 1970 */
  constructor(hour: string, now: number, found?: KeptHour) {
    const kept = found && isOfUse(hour, found.begun, now) ? found : undefined;
    this.hour = hour;
    this.#begun = kept?.begun ?? now;
    this.from = startOf(hour);
    this.to = endOf(hour);
    this.end = sequenceAt(this.to);
    this.#isFinal = kept?.final === true || isFinal(hour, now);
    this.#settledBefore = sequenceAt(now - settledAfterMs);
    this.#settled = new TypeSums(kept?.types);
    this.#counted = Array.from({ length: indexShards }, (_, shard) => kept?.counted[shard] ?? '');
    this.#done = this.#counted.map((counted) => kept?.final === true || counted >= this.end);
    this.#keptCount = this.#settled.count;
  }

  /** True if all events of the hour, or of one shard of it, are counted. */
  isComplete(shard?: number): boolean {
    return shard === undefined ? this.#done.every(Boolean) : this.#done[shard] === true;
  }

  /** The sequence behind which the events of a shard are still to be counted. */
  countedThrough(shard: number): string | undefined {
    return this.#counted[shard] === '' ? undefined : this.#counted[shard];
  }

  add(item: IndexItem, shard: number): void {
    const sequence = item['sequence']?.S ?? '';
    const isSettled = sequence < this.#settledBefore;
    const sums = isSettled ? this.#settled : this.#recent;
    for (const { type, eventId } of acceptedIn(item)) sums.add(type, eventId);
    if (isSettled) this.#counted[shard] = sequence;
  }

  /** All events of the shard are counted. Those of an hour that is over need not be asked for again. */
  finish(shard: number): void {
    this.#done[shard] = true;
    if (this.#isFinal) this.#counted[shard] = this.end;
  }

  /** What to keep, if that spares the next call much, or lets it go on. */
  toKeep(): KeptHour | undefined {
    const isComplete = this.isComplete();
    const final = isComplete && this.#isFinal;
    const progress = this.#settled.count - this.#keptCount;
    if (!final && progress < worthKeeping && (isComplete || progress === 0)) return undefined;
    const types = this.#settled.toRecord();
    return { hour: this.hour, types, counted: final ? [] : this.#counted, final, begun: this.#begun };
  }

  toLedgerHour(): LedgerHour {
    const all = new TypeSums(this.#settled.toRecord());
    all.addAll(this.#recent);
    return {
      hour: `${this.hour}:00:00Z`,
      ...all.toLedgerSum(),
      types: all.toRecord(),
      final: this.isComplete() && this.#isFinal,
    };
  }
}
