import { type Chunk, deliver, type DeliveryOptions } from './delivery.ts';
import type { Destination } from './destination.ts';

/** The state of a stream that deliveries depend on. */
export type Source = { name: string; version: string; destination: Destination };

export type Buffers = {
  add(source: Source, records: readonly Buffer[]): void;
  /** Writes what is there now, and resolves when all writes have ended, well or not. */
  flush(name?: string): Promise<void>;
};

/** Nobody wants to wait for the five minutes that are right in the cloud. */
const LONGEST_WAIT_SECONDS = 5;

type Filling = { source: Source; arrival: Date; records: Buffer[]; bytes: number; timer: NodeJS.Timeout };

/** Collects each stream's records until time or size make an object of them. */
export function createBuffers(options: DeliveryOptions): Buffers {
  const filling = new Map<string, Filling>();
  const writing = new Set<Promise<void>>();
  const close = (name: string): void => {
    const full = filling.get(name);
    if (!full) return;
    clearTimeout(full.timer);
    filling.delete(name);
    const write = deliver(chunkOf(full), options).finally(() => writing.delete(write));
    writing.add(write);
  };
  const open = (source: Source): Filling => {
    const seconds = Math.min(source.destination.bufferSeconds, LONGEST_WAIT_SECONDS);
    const timer = setTimeout(() => close(source.name), seconds * 1_000);
    const opened = { source, arrival: new Date(), records: [], bytes: 0, timer };
    filling.set(source.name, opened);
    return opened;
  };
  return {
    add: (source, records) => {
      for (const record of records) {
        const buffer = filling.get(source.name) ?? open(source);
        buffer.records.push(record);
        buffer.bytes += record.length;
        if (buffer.bytes >= source.destination.bufferBytes) close(source.name);
      }
    },
    flush: async (name) => {
      for (const each of name === undefined ? [...filling.keys()] : [name]) close(each);
      await Promise.all(writing);
    },
  };
}

function chunkOf({ source, arrival, records }: Filling): Chunk {
  const { name, version, destination } = source;
  return { stream: name, version, destination, arrival, records };
}
