import {
  acceptedAttributes,
  acceptedIn,
  type EventIndexStore,
  type IndexItem,
} from '../../events/event-index-store.ts';
import { indexShards, sequenceAt } from '../../events/event-keys.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { endOf, isFinal, settledAfter, startOf } from './hour.ts';
import { TypeSums, type LedgerSum } from './id-sum.ts';

/** What is kept of an hour. */
export type KeptHour = {
  hour: string;
  types: Record<string, LedgerSum>;
  /** The last sequence that is counted in each shard of the index. Empty if no event of the shard is counted. */
  counted: string[];
  /** True if the whole hour is counted. */
  final: boolean;
};

export type LedgerHour = LedgerSum & { hour: string; types: Record<string, LedgerSum>; final: boolean };

export type CountDeps = { index: Pick<EventIndexStore, 'page'> };

/** A moment of the service's clock, and the end of the time for counting. In milliseconds since 1970. */
export type CountTime = { now: number; deadline: number };

/** Small enough that the shards, which are read at once, do not wait long for each other. */
const page = { attributes: acceptedAttributes, limit: 2_000 };

/** Fewer events are not worth a write: they are counted again. */
const worthKeeping = 1_000;

/** The count of an hour's events, which can be kept and continued. */
export class HourCount {
  readonly hour: string;
  readonly #settled: TypeSums;
  /** Events that are so new that others may still come before them. */
  readonly #recent = new TypeSums();
  readonly #counted: string[];
  readonly #keptCount: number;
  #final: boolean;
  #isComplete: boolean;

  constructor(hour: string, kept?: KeptHour) {
    this.hour = hour;
    this.#settled = new TypeSums(kept?.types);
    this.#counted = Array.from({ length: indexShards }, (_, shard) => kept?.counted[shard] ?? '');
    this.#keptCount = this.#settled.count;
    this.#final = kept?.final ?? false;
    this.#isComplete = this.#final;
  }

  /** False if the time was over before all events were counted. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Counts what is not counted yet, until the deadline. */
  async count({ index }: CountDeps, ref: TargetRef, { now, deadline }: CountTime): Promise<void> {
    if (this.#final) return;
    const range = { ...ref, from: startOf(this.hour), to: endOf(this.hour) };
    const settledBefore = sequenceAt(now - settledAfter);
    const countShard = async (shard: number): Promise<boolean> => {
      const counted = this.#counted[shard];
      let after = counted === '' ? undefined : counted;
      do {
        if (Date.now() >= deadline) return false;
        const { items, last } = await index.page(range, { hour: this.hour, shard, after }, page);
        for (const item of items) this.#add(item, shard, settledBefore);
        after = last;
      } while (after !== undefined);
      return true;
    };
    const shards = await Promise.all(this.#counted.map(async (_, shard) => await countShard(shard)));
    this.#isComplete = shards.every(Boolean);
    this.#final = this.#isComplete && isFinal(this.hour, now);
  }

  #add(item: IndexItem, shard: number, settledBefore: string): void {
    const sequence = item['sequence']?.S ?? '';
    const isSettled = sequence < settledBefore;
    const sums = isSettled ? this.#settled : this.#recent;
    for (const { type, eventId } of acceptedIn(item)) sums.add(type, eventId);
    if (isSettled) this.#counted[shard] = sequence;
  }

  /** What to keep, if that spares the next call much, or lets it go on. */
  toKeep(): KeptHour | undefined {
    const progress = this.#settled.count - this.#keptCount;
    const isWorthIt = this.#final || progress >= worthKeeping || (!this.#isComplete && progress > 0);
    if (!isWorthIt) return undefined;
    return { hour: this.hour, types: this.#settled.toRecord(), counted: this.#counted, final: this.#final };
  }

  toLedgerHour(): LedgerHour {
    const all = new TypeSums(this.#settled.toRecord());
    all.addAll(this.#recent);
    return {
      hour: `${this.hour}:00:00Z`,
      ...all.toLedgerSum(),
      types: all.toRecord(),
      final: this.#final,
    };
  }
}
