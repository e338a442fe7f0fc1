import { type Chunk, deliver, type DeliveryOptions } from './delivery.ts';
import type { Buffered, Journal, JournalFile, Source } from './journal.ts';

/** Firehose buffers for five minutes by default; here nobody wants to wait so long. */
const longestWaitSeconds = 5;

type OpenBuffer = Buffered & { bytes: number; timer: NodeJS.Timeout; file: JournalFile };

export type BufferOptions = DeliveryOptions & { journal: Journal };

/** Collects the records of each stream until a time or size limit, and then writes them as one object. */
export class Buffers {
  readonly #options: BufferOptions;
  readonly #open = new Map<string, OpenBuffer>();
  readonly #writing = new Map<Promise<void>, Buffered>();

  constructor(options: BufferOptions) {
    this.#options = options;
    for (const { buffered, file } of options.journal.unfinished()) this.#write(buffered, file);
  }

  add(source: Source, records: readonly Buffer[]): void {
    for (const record of records) {
      const buffer = this.#bufferOf(source);
      buffer.file.add(record);
      buffer.records.push(record);
      buffer.bytes += record.length;
      if (buffer.bytes >= source.destination.bufferBytes) this.#close(source.name);
    }
  }

  /** Writes all buffers, and resolves when all writes have succeeded or failed. */
  async flush(): Promise<void> {
    for (const name of [...this.#open.keys()]) this.#close(name);
    await Promise.all(this.#writing.keys());
  }

  /** When the oldest record of a stream came that is not written, in milliseconds since 1970. */
  oldest(name: string): number | undefined {
    const all = [...this.#open.values(), ...this.#writing.values()];
    const times = all.filter(({ source }) => source.name === name).map(({ arrival }) => arrival.getTime());
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** The name of an object says which version of the stream it is of: records that came after an update are not in it. */
  #bufferOf(source: Source): OpenBuffer {
    if (this.#open.get(source.name)?.source.version !== source.version) this.#close(source.name);
    return this.#open.get(source.name) ?? this.#begin(source);
  }

  #begin(source: Source): OpenBuffer {
    const seconds = Math.min(source.destination.bufferSeconds, longestWaitSeconds);
    const timer = setTimeout(() => this.#close(source.name), seconds * 1_000);
    const arrival = new Date();
    const file = this.#options.journal.begin(source, arrival);
    const buffer = { source, arrival, records: [], bytes: 0, timer, file };
    this.#open.set(source.name, buffer);
    return buffer;
  }

  #close(name: string): void {
    const buffer = this.#open.get(name);
    if (!buffer) return;
    clearTimeout(buffer.timer);
    this.#open.delete(name);
    this.#write(buffer, buffer.file);
  }

  #write(buffered: Buffered, file: JournalFile): void {
    const { journal, log } = this.#options;
    const written = deliver(chunkOf(buffered), this.#options)
      .then((isWritten) => {
        if (isWritten) file.remove();
        else if (!journal.isDurable) log(lost(buffered));
      })
      .finally(() => this.#writing.delete(written));
    this.#writing.set(written, buffered);
  }
}

function chunkOf({ source, arrival, records }: Buffered): Chunk {
  const { name, version, destination } = source;
  return { stream: name, version, destination, arrival, records };
}

const lost = ({ source, records }: Buffered): string =>
  `firehose: ${source.name} could not write to ${source.destination.bucket}; ${records.length} records are lost`;
