/** The ledger costs nothing for an event, and little for a call. */
import { indexShards } from '../../../core/events/event-keys.ts';
import type { Assumptions } from './assumptions.ts';
import type { Row } from './confirmation-tables.ts';
import { indexedBytes } from './items.ts';
import { regions } from './prices.ts';
import { queryReadUnits, writeUnits } from './units.ts';
import { apiCall, invocation, priceOf, sum, type Usage } from './usage.ts';

/** One core counts 200. A Lambda of 1,024 MB has a little more than half of one. */
const countedPerMillisecond = 100;
/** Types of events in an hour, and bytes of each in the answer and in what is kept. */
const typesOfHour = 10;
const bytesOfType = 115;
const hoursOfDay = 24;
const shortest = 10;

const eventual = 0.5;
const largerIndexItem = Math.max(...indexedBytes);

/**
 * Reads of the index for hours that follow each other, with this number of events. The index has no strongly consistent
 * reads.
 */
const counted = (events: number): Usage => ({
  dynamoReads: eventual * Math.max(indexShards, queryReadUnits([events * largerIndexItem])),
});

const hourBytes = typesOfHour * bytesOfType;

function call(hours: number, uncounted: number, events: number, assumed: Assumptions): Usage {
  const milliseconds = shortest + events / countedPerMillisecond;
  return sum([
    apiCall(hours * hourBytes, assumed),
    invocation(milliseconds, assumed),
    { dynamoReads: eventual * queryReadUnits([hours * hourBytes]) },
    uncounted > 0 ? counted(events) : {},
    { dynamoWrites: uncounted * writeUnits(hourBytes) },
  ]);
}

/** USD for a thousand calls. */
export const ofLedger = (assumed: Assumptions): Row[] =>
  Object.entries({
    'a day that was counted before': call(hoursOfDay, 0, 0, assumed),
    'a day without events, for the first time': call(hoursOfDay, hoursOfDay, 0, assumed),
    '14 days with a few events, for the first time': call(14 * hoursOfDay, 14 * hoursOfDay, 50, assumed),
    'an hour of 1,000 events, for the first time': call(1, 1, 1_000, assumed),
    'an hour of 1,000,000 events, for the first time': call(1, 1, 1_000_000, assumed),
  }).map(([what, usage]) => ({
    'a thousand calls for': what,
    ...Object.fromEntries(regions.map((region) => [region, (1_000 * priceOf(usage, region)).toFixed(3)])),
  }));
