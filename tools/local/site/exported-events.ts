import { setTimeout as sleep } from 'node:timers/promises';
import { type ExportedEvent as Exported, unwrap } from '../../../client/exported-events.ts';
import { StreamReader } from '../../../client/stream-reader.ts';
import type { EventFeed, ExportedEvent } from '../../../pages/bank/server/live/live-feed.ts';
import type { Writes } from '../aws/endpoint/writes.ts';
import { kinesisOf, type LocalAws } from '../client/reader-access.ts';

/** So that the page shows an event while its user still looks. */
const intervalMs = 500;
/** The stream may be missing for a while. */
const pauseAfterFaultMs = 2_000;
/** Without a write. An iterator of Kinesis expires after 5 minutes without a read. */
const longestIdleMs = 60_000;

export type ExportedEventsOptions = LocalAws & {
  streamName: string;
  /** To streams. */
  writes: Pick<Writes, 'since'>;
  log: (line: string) => void;
};

/**
 * The events in a tenant's stream, as the tenant itself reads them. It reads only while somebody looks, and goes on where it
 * stopped.
 */
export function exportedEvents({ aws, streamName, writes, log }: ExportedEventsOptions): EventFeed {
  let readUntil = new Date();
  let reader: StreamReader | undefined;

  const readOnce = async (onEvent: (event: ExportedEvent) => void): Promise<void> => {
    reader ??= await StreamReader.open(kinesisOf({ aws }), streamName, readUntil);
    const begun = new Date();
    for (const { data } of await reader.read()) for (const event of unwrap(data)) onEvent(eventOf(event));
    readUntil = begun;
  };

  const follow = async (onEvent: (event: ExportedEvent) => void, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const begun = Date.now();
      const isRead = await readOnce(onEvent).then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) log(`The demo bank cannot read ${streamName}: ${String(error)}`);
          return false;
        },
      );
      if (!isRead) {
        reader?.close();
        reader = undefined;
      }
      await sleep(isRead ? intervalMs : pauseAfterFaultMs, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
      if (isRead)
        await writes.since(begun, streamName, AbortSignal.any([signal, AbortSignal.timeout(longestIdleMs)]));
    }
  };

  return {
    watch: (onEvent) => {
      const ending = new AbortController();
      void follow(onEvent, ending.signal);
      return () => ending.abort();
    },
  };
}

/** The schema of a public event promises these members. */
const eventOf = (event: Exported): ExportedEvent => event as unknown as ExportedEvent;
