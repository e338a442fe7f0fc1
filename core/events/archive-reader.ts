import { batchOfKeys, bytesOf, type EventArchiveStore, type StoredEvents } from './event-archive-store.ts';
import { type ArchiveRange, type IndexItem, sequenceOf } from './event-index-store.ts';
import { hourOf, indexShards, sequenceAt } from './event-keys.ts';
import { hours } from '../kernel/time.ts';

/** Behind `after` in a shard of an hour of acceptance. */
export type ArchivePlace = { hour: string; shard: number; after?: string | undefined };

/** Events, and the place behind them, unless it is the end of the range. */
export type ArchivePage = StoredEvents & { next: ArchivePlace | undefined };

export type Archive = Pick<EventArchiveStore, 'keys' | 'read'>;

/** Items that are read at once. */
const mostItems = 5 * batchOfKeys;

/** How many items to read for so many bytes, after some were read. The first ones show how large the others may be. */
const itemsFor = (wanted: number, read: { items: number; bytes: number }): number =>
  read.items === 0 ? batchOfKeys : Math.ceil((read.items * wanted) / Math.max(1, read.bytes));

const startOf = (hour: string): number => Date.parse(`${hour}:00:00Z`);
const endOf = (hour: string): string => sequenceAt(startOf(hour) + hours);

/** The keys of a shard's items in a range. They are read in pages, over the ends of hours. */
class ShardKeys {
  readonly #read: (after?: string) => ReturnType<Archive['keys']>;
  #items: IndexItem[] = [];
  #taken = 0;
  #after: string | undefined;
  #isOver: boolean;

  constructor(archive: Archive, range: ArchiveRange, shard: number, after?: string) {
    this.#read = async (last) => await archive.keys(range, { shard, after: last });
    this.#after = after;
    // DynamoDB refuses a range that begins behind its end.
    this.#isOver = range.from >= range.to;
  }

  /** The sequence of the next item, or nothing at the end of the range. */
  async next(): Promise<string | undefined> {
    while (this.#taken === this.#items.length) {
      if (this.#isOver) return undefined;
      const { items, last } = await this.#read(this.#after);
      [this.#items, this.#taken, this.#after, this.#isOver] = [items, 0, last, last === undefined];
    }
    return sequenceOf(this.#items[this.#taken]);
  }

  /** Items before this sequence, at most so many. There may be more behind them. */
  take(count: number, before: string): IndexItem[] {
    const rest = this.#items.slice(this.#taken, this.#taken + count);
    const end = rest.findIndex((item) => sequenceOf(item) >= before);
    const taken = end === -1 ? rest : rest.slice(0, end);
    this.#taken += taken.length;
    return taken;
  }
}

/**
 * Reads accepted events hour after hour, and in each hour shard after shard. An ordering key has the same shard in every hour.
 * Hours without events cost nothing.
 */
export class ArchiveReader {
  readonly #archive: Archive;
  readonly #range: ArchiveRange;
  readonly #shards: ShardKeys[];
  readonly #isWanted: (item: IndexItem) => boolean;
  readonly #read = { items: 0, bytes: 0 };
  #place: ArchivePlace | undefined;

  /**
   * @param place where a reader of the same range has stopped
   * @param isWanted by its key in the index: the content of others is not read
   */
  constructor(
    archive: Archive,
    range: ArchiveRange,
    place?: ArchivePlace,
    isWanted: (item: IndexItem) => boolean = () => true,
  ) {
    const begin = place ?? { hour: hourOf(range.from), shard: 0 };
    this.#archive = archive;
    this.#range = range;
    this.#isWanted = isWanted;
    this.#shards = Array.from(
      { length: indexShards },
      (_, shard) => new ShardKeys(archive, leftOf(range, begin, shard), shard, afterOf(begin, shard)),
    );
    this.#place = begin;
  }

  /** Events of about so many bytes at most, from at most so many items. */
  async page(bytes: number, most = Infinity): Promise<ArchivePage> {
    const count = Math.min(most, mostItems, itemsFor(bytes, this.#read));
    const seen: IndexItem[] = [];
    while (this.#place && seen.length < count)
      seen.push(...(await this.#take(this.#place, count - seen.length)));
    const keys = seen.filter(this.#isWanted);
    const stored = await this.#archive.read(keys, this.#range);
    this.#read.items += keys.length;
    this.#read.bytes += bytesOf(stored.events);
    return { ...stored, next: this.#place };
  }

  /** Keys of a shard's hour. If none is left, the next ones are in another place. */
  async #take(place: ArchivePlace, count: number): Promise<IndexItem[]> {
    const keys = this.#shards[place.shard];
    const end = endOf(place.hour);
    if (((await keys?.next()) ?? end) >= end) {
      this.#place = await this.#behind(place);
      return [];
    }
    const taken = keys?.take(count, end) ?? [];
    this.#place = { ...place, after: sequenceOf(taken.at(-1)) };
    return taken;
  }

  /** The next shard, or the first one of the next hour that has events. */
  async #behind({ hour, shard }: ArchivePlace): Promise<ArchivePlace | undefined> {
    if (shard + 1 < this.#shards.length) return { hour, shard: shard + 1 };
    const heads = await Promise.all(this.#shards.map(async (keys) => await keys.next()));
    const [first] = heads.filter((sequence) => sequence !== undefined).sort();
    return first === undefined ? undefined : { hour: hourOf(Number.parseInt(first, 10)), shard: 0 };
  }
}

/** The unread part of a shard. Earlier shards than that of the place were read up to the end of its hour. */
function leftOf(range: ArchiveRange, { hour, shard: reached }: ArchivePlace, shard: number): ArchiveRange {
  const start = startOf(hour) + (shard < reached ? hours : 0);
  return { ...range, from: Math.max(range.from, start) };
}

const afterOf = ({ shard: reached, after }: ArchivePlace, shard: number): string | undefined =>
  shard === reached ? after : undefined;
