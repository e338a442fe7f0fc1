import { type ExportedEvent, unwrap } from '../../client/exported-events.ts';
import type { StreamReader } from '../../client/stream-reader.ts';
import { eventually } from '../../client/waiting.ts';

/** The events of one tenant that arrived in a stream. */
export class Arrivals {
  readonly #reader: StreamReader;
  readonly #tenantId: string;
  readonly #events: ExportedEvent[] = [];

  constructor(reader: StreamReader, tenantId: string) {
    this.#reader = reader;
    this.#tenantId = tenantId;
  }

  /** How many events arrived so far, with duplicates: a position to wait from. */
  get count(): number {
    return this.#events.length;
  }

  /** Reads what arrived since the last call. */
  async read(): Promise<void> {
    const records = await this.#reader.read();
    const events = records.flatMap(({ data }) => unwrap(data));
    this.#events.push(...events.filter(({ metadata }) => metadata.tenantId === this.#tenantId));
  }

  /** Waits until all of these have arrived, after the position. */
  async all(
    what: string,
    isThere: readonly ((event: ExportedEvent) => boolean)[],
    { signal, from = 0 }: { signal: AbortSignal; from?: number },
  ): Promise<void> {
    const ask = async () => {
      await this.read();
      const events = this.#events.slice(from);
      return isThere.every((predicate) => events.some(predicate)) ? true : undefined;
    };
    await eventually(what, ask, { everyMs: 1_000, atMostMs: 180_000, signal });
  }
}

export const hasId =
  (eventId: string) =>
  ({ metadata }: ExportedEvent): boolean =>
    metadata.eventId === eventId;

export const isOf =
  (aggregateId: string, type: string) =>
  ({ metadata }: ExportedEvent): boolean =>
    metadata.aggregateId === aggregateId && metadata.type === type;
