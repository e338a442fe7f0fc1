/** What the log of accepted events costs. */
import { indexPartitions } from '../../../core/events/event-keys.ts';
import { busyShards } from '../../../core/export/log/busy-minute-store.ts';
import { encodePage, leavesOfPage } from '../../../core/export/log/leaf-page.ts';
import { openForMs, watchedForMs } from '../../../core/export/log/minute.ts';
import { bytesOfHash } from '../../../core/export/log/merkle-tree.ts';
import { minutes } from '../../../core/kernel/time.ts';
import { milliseconds, type Assumptions } from './data.ts';
import { eventBytes } from './events.ts';
import { exportedBytes, indexedBytes, itemSizes } from './items.ts';
import { apiCall, invocation, sum, times, type Usage, type Usages } from './model.ts';
import * as units from './units.ts';

const leafBytes = encodePage([
  { eventId: '0'.repeat(36), digest: Buffer.alloc(bytesOfHash), item: '0'.repeat(16) },
]).length;
/** The name of a log is in each key. */
const keyBytes = 100;
/** The head has at most 20 hashes and the last checkpoint. */
const headBytes = keyBytes + 20 * bytesOfHash + 300;

/** Each minute is looked at until nothing can be late any more. The first time closes it. */
const looks = 1 + Math.ceil((watchedForMs - openForMs) / minutes);

/** A minute with so many events of a tenant, without the clock. */
export function minuteOf(events: number): Usage {
  const itemBytes = itemSizes['event, sent'] - (exportedBytes[0] ?? 0) + eventBytes;
  const pages = Math.ceil(events / leavesOfPage);
  const pageBytes = keyBytes + Math.min(events, leavesOfPage) * leafBytes;
  const directoryBytes = keyBytes + pages * (36 + bytesOfHash);
  // The index has no strongly consistent reads. Each of its partitions is asked.
  const index = 0.5 * Math.max(indexPartitions, units.queryReadUnits([events * Math.max(...indexedBytes)]));
  const closing = sum(
    { dynamoReads: 0.5 * events * units.batchReadUnits([itemBytes]) },
    { dynamoWrites: pages * units.writeUnits(pageBytes) + units.writeUnits(directoryBytes) },
    { dynamoWrites: units.transactionWriteUnits([headBytes, 2 * keyBytes, 2 * keyBytes]) },
  );
  const look = {
    dynamoReads: index + units.queryReadUnits([headBytes]) + pages * units.queryReadUnits([pageBytes]),
  };
  // The exporter marks the minute, and the mark is removed.
  return sum(closing, times(looks, look), { dynamoWrites: 2 });
}

const [minutesOfHour, minutesOfMonth] = [60, 30 * 1_440];

export function log(assumed: Assumptions): Usages {
  const million = 1_000_000;
  // All partitions of busy minutes, and the logs that have grown.
  const tick = sum(invocation(milliseconds.schedule, assumed), { dynamoReads: busyShards + 1 });
  const checkpoint = sum(apiCall(300, assumed), invocation(milliseconds.schedule, assumed), {
    dynamoReads: 1,
    dynamoWrites: units.writeUnits(headBytes),
    kmsSignatures: 1,
  });
  return {
    'a million events in an hour': times(minutesOfHour, minuteOf(million / minutesOfHour)),
    'a month with an event in each minute': times(minutesOfMonth, minuteOf(1)),
    'the clock for a month, whatever the number of tenants': times(minutesOfMonth, tick),
    'a thousand checkpoints that are asked for': times(1_000, checkpoint),
  };
}
