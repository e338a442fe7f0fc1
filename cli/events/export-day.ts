import { open, type FileHandle, rename, rm } from 'node:fs/promises';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { ArchiveReader } from '../../core/events/archive-reader.ts';
import { EventArchiveStore } from '../../core/events/event-archive-store.ts';
import { hourOf } from '../../core/events/event-keys.ts';
import { hours } from '../../core/kernel/time.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { unwritable } from './unwritable.ts';

/** The events that were accepted from `from` on and before `to`, in milliseconds since 1970. */
export type ExportRange = TargetRef & { from: number; to: number; types?: readonly string[] | undefined };

export type ExportCount = { events: number; bytes: number };

type Listener = {
  /** Called after each hour. */
  read: (hour: string, count: ExportCount) => void;
  /** Called for an item that cannot be read as events. */
  unreadable: (reason: string) => void;
};

/** About so many bytes of events are held in memory. */
const bytesAtOnce = 1_000_000;

/**
 * Writes events to a file, one line each, in the form of an object of a bucket. The file has its name only when it is
 * complete.
 */
export async function exportEvents(
  deployment: Deployment,
  range: ExportRange,
  file: string,
  listener: Listener,
): Promise<ExportCount> {
  const partial = `${file}.partial`;
  // Events have personal data.
  const handle = await open(partial, 'w', 0o600).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  try {
    const count = await writeEvents(deployment, range, handle, listener);
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return count;
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeEvents(
  deployment: Deployment,
  range: ExportRange,
  handle: FileHandle,
  listener: Listener,
): Promise<ExportCount> {
  const count = { events: 0, bytes: 0 };
  for (let hour = range.from - (range.from % hours); hour < range.to; hour += hours) {
    const own = { ...range, from: Math.max(hour, range.from), to: Math.min(hour + hours, range.to) };
    for await (const lines of linesOf(deployment, own, listener)) {
      const { bytesWritten } = await handle.write(lines.join(''));
      count.events += lines.length;
      count.bytes += bytesWritten;
    }
    listener.read(hourOf(hour), count);
  }
  return count;
}

/** The events of a range, page by page. Events with the same ordering key are in order. */
async function* linesOf(
  { clients, tables }: Deployment,
  range: ExportRange,
  { unreadable }: Listener,
): AsyncGenerator<string[]> {
  const reader = new ArchiveReader(new EventArchiveStore(clients.dynamodb, tables.events), range);
  let isOver = false;
  while (!isOver) {
    const page = await reader.page(bytesAtOnce);
    for (const reason of page.unreadable) unreadable(reason);
    const wanted = page.events.filter(({ type }) => range.types?.includes(type) ?? true);
    if (wanted.length > 0) yield wanted.map(({ event }) => `{"events":[${event}]}\n`);
    isOver = page.next === undefined;
  }
}
