import { type Chunk, deliver, type DeliveryOptions } from './delivery.ts';
import type { Buffered, Journal, Page, Source } from './journal.ts';

export type Buffers = {
  add(source: Source, records: readonly Buffer[]): void;
  /** Writes what is there now, and resolves when all writes have ended, well or not. */
  flush(name?: string): Promise<void>;
};

/** Nobody wants to wait for the five minutes that are right in the cloud. */
const LONGEST_WAIT_SECONDS = 5;

type Filling = Buffered & { bytes: number; timer: NodeJS.Timeout; page: Page };

export type BufferOptions = DeliveryOptions & { journal: Journal };

/** Collects each stream's records until time or size make an object of them. */
export function createBuffers(options: BufferOptions): Buffers {
  const { journal, log } = options;
  const filling = new Map<string, Filling>();
  const writing = new Set<Promise<void>>();

  const write = (buffered: Buffered, page: Page): void => {
    const written = deliver(chunkOf(buffered), options)
      .then((isWritten) => {
        if (isWritten) page.remove();
        else if (!journal.keeps) log(lost(buffered));
      })
      .finally(() => writing.delete(written));
    writing.add(written);
  };
  const close = (name: string): void => {
    const full = filling.get(name);
    if (!full) return;
    clearTimeout(full.timer);
    filling.delete(name);
    write(full, full.page);
  };
  const open = (source: Source): Filling => {
    const seconds = Math.min(source.destination.bufferSeconds, LONGEST_WAIT_SECONDS);
    const timer = setTimeout(() => close(source.name), seconds * 1_000);
    const arrival = new Date();
    const page = journal.begin(source, arrival);
    const opened = { source, arrival, records: [], bytes: 0, timer, page };
    filling.set(source.name, opened);
    return opened;
  };

  for (const { buffered, page } of journal.left()) write(buffered, page);
  return {
    add: (source, records) => {
      for (const record of records) {
        const buffer = filling.get(source.name) ?? open(source);
        buffer.page.add(record);
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

function chunkOf({ source, arrival, records }: Buffered): Chunk {
  const { name, version, destination } = source;
  return { stream: name, version, destination, arrival, records };
}

const lost = ({ source, records }: Buffered): string =>
  `firehose: ${source.name} could not write to ${source.destination.bucket}; ${records.length} records are lost`;
