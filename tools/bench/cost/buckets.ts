/** What it costs to know whether Firehose writes into the tenants' buckets. */
import { pauseBetweenLooks } from '../../../core/export/reports/find-late-buckets.ts';
import { hours } from '../../../core/kernel/time.ts';
import type { Assumptions } from './assumptions.ts';
import type { Row } from './confirmation-tables.ts';
import { itemSizes } from './items.ts';
import { regions } from './prices.ts';
import { batchReadUnits } from './units.ts';
import { invocation, priceOf, sum, times, type Usage } from './usage.ts';

const days = 30;
const minutesOfDay = 24 * 60;
/** `watch-buckets` asks for freshness and success. */
const metricsOfBucket = 2;
const looksOfDay = (24 * hours) / pauseBetweenLooks;

/** The minutes of a month. Each call reads the list of watched buckets, and may not note a look yet. */
const clock = (assumed: Assumptions): Usage =>
  times(
    days * minutesOfDay,
    sum([invocation(assumed.durations.schedule, assumed), { dynamoReads: 1, dynamoWrites: 1 }]),
  );

/** Once for a target, without the call of the Lambda. */
const asked: Usage = { metricsRead: metricsOfBucket, dynamoReads: batchReadUnits([itemSizes.target]) };

/** USD a month. */
export const ofBuckets = (assumed: Assumptions): Row[] =>
  Object.entries({
    'the clock, whatever the number of buckets': clock(assumed),
    'a bucket with events each day': times(days * looksOfDay, asked),
    '5,000 of them': times(5_000 * days * looksOfDay, asked),
    'the same by an alarm on a query of their metrics': { alarms: 5_000 },
    'a bucket in trouble for a day': times(minutesOfDay, asked),
  }).map(([what, usage]) => ({
    what,
    ...Object.fromEntries(regions.map((region) => [region, priceOf(usage, region).toFixed(3)])),
  }));
