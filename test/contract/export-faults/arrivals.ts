/** What has come to a tenant's stream or bucket so far. */
import { expect } from '@jest/globals';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { BucketReader, holdsEvents } from '../../../tools/local/client/bucket-reader.ts';
import { type ExportedEvent, linesOf, unwrap } from '../../../client/exported-events.ts';
import type { StackFile } from '../../../tools/local/client/local-stack.ts';
import { StreamReader } from '../../../client/stream-reader.ts';
import { kinesisOf } from '../../../tools/local/client/reader-access.ts';
import { eventually } from '../../support/waiting.ts';
import { idsOf, type Recorded } from './recorded.ts';

/** A delivery stream is created up to 30 s later, a redelivery waits up to 15 s on the local stack, and machines are busy. */
export class Arrivals {
  /** In the order of arrival, for as much as the target has one. */
  readonly events: ExportedEvent[] = [];
  readonly #read: () => Promise<ExportedEvent[]>;
  readonly close: () => void;

  private constructor(read: () => Promise<ExportedEvent[]>, close: () => void) {
    this.#read = read;
    this.close = close;
  }

  static async ofStream(
    stack: StackFile,
    { streamArn }: Pick<StreamDestination, 'streamArn'>,
  ): Promise<Arrivals> {
    const reader = await StreamReader.open(kinesisOf(stack), streamArn.slice(streamArn.lastIndexOf('/') + 1));
    const read = async () => (await reader.read()).flatMap(({ data }) => unwrap(data));
    return new Arrivals(read, () => reader.close());
  }

  static ofBucket(stack: StackFile, { bucket }: BucketDestination): Arrivals {
    const reader = new BucketReader(stack, bucket);
    const read = async () =>
      (await reader.read()).filter(holdsEvents).flatMap(({ text }) => linesOf(text).flatMap(unwrap));
    return new Arrivals(read, () => reader.close());
  }

  get ids(): string[] {
    return this.events.map(({ metadata }) => metadata.eventId);
  }

  /** Looks until it is so. */
  async until(what: string, isSo: (events: readonly ExportedEvent[]) => boolean): Promise<void> {
    await eventually(
      () => `${what} did not come; there are ${this.events.length} events`,
      async () => {
        this.events.push(...(await this.#read()));
        return isSo(this.events) || undefined;
      },
    );
  }

  /** Waits for all of them; nothing is lost. */
  async include(recorded: Recorded): Promise<void> {
    const missing = new Set(idsOf(recorded));
    let seen = 0;
    await this.until(`${missing.size} recorded events`, (events) => {
      for (const { metadata } of events.slice(seen)) missing.delete(metadata.eventId);
      seen = events.length;
      return missing.size === 0;
    });
  }

  /** How many came more than once. */
  get duplicates(): number {
    return this.events.length - new Set(this.ids).size;
  }
}

/** Without duplicates, as a consumer drops them, each aggregate's events came in the order of acceptance. */
export function expectOrder(arrivals: Pick<Arrivals, 'ids'>, recorded: Recorded): void {
  const keyOf = new Map([...recorded].flatMap(([key, ids]) => ids.map((id) => [id, key])));
  const arrived = Map.groupBy(new Set(arrivals.ids), (id) => keyOf.get(id));
  for (const [key, ids] of recorded) expect(arrived.get(key)).toEqual(ids);
}
