import { errorFolder } from './provisioning/delivery-stream.ts';
import type { GivenUpEvents } from '../../targets/given-up-store.ts';
import { lossByErrors } from '../../targets/firehose-progress.ts';
import type { BucketDestination } from './record.ts';
import type { Target } from '../../targets/target.ts';
import { logger } from '../../../kernel/observability.ts';
import { hours, rfc3339, seconds } from '../../../kernel/time.ts';
import type { ListedObject, OpenBucket } from './bucket-client.ts';
import { CheckFailed } from '../checks.ts';

export type ErrorRecord = Pick<GivenUpEvents, 'failed'>;

type BucketTarget = Target & { destination: BucketDestination };

/** An object that Firehose wrote for the target. It has the first of its records since `from`. */
type ErrorObject = ListedObject & { from: number };

/** The objects of one kind of error, at most a page of S3. */
type Found = { objects: ErrorObject[]; hasMore: boolean };

/** Older events are not kept, and cannot be replayed. */
const kept = 14 * 24 * hours;
/** Firehose may have tried to deliver the records for a day, and the key has the hour in which it got them. */
const delayMs = 25 * hours;
/** S3 tells times in whole seconds. */
const resolutionMs = 1 * seconds;

const hourIn = (time: number): string => rfc3339(time).slice(0, 13).replaceAll(/[-T]/g, '/');

const layout = /^(\d{4})\/(\d{2})\/(\d{2})\/(\d{2})\/([a-z]+)\/([^/]+)$/;

/** A bucket may be that of several targets: the names of objects begin with that of the delivery stream. */
function readKey(
  folder: string,
  object: ListedObject,
  { category, destination }: BucketTarget,
): ErrorObject[] {
  const [, year, month, day, hour, of, name = ''] = layout.exec(object.key.slice(folder.length)) ?? [];
  if (of !== category || !name.startsWith(`${destination.deliveryStreamName}-`)) return [];
  return [{ ...object, from: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour)) }];
}

/** The objects of one kind of error that are not known yet. Of too many for a page, all until now may be. */
async function unknownIn(
  bucket: OpenBucket,
  folder: string,
  target: BucketTarget,
  now: number,
): Promise<Found> {
  const { errorsThrough = 0 } = target;
  const after = Math.max(errorsThrough - delayMs, now - kept);
  const { objects, hasMore } = await bucket.objects(folder, `${folder}${hourIn(after)}`);
  const found = objects
    .flatMap((object) => readKey(folder, object, target))
    .filter(({ writtenAt }) => writtenAt > errorsThrough);
  return { objects: hasMore ? found.map((one) => ({ ...one, writtenAt: now })) : found, hasMore };
}

/** Bytes of all objects that a test reads, so that it ends in time. */
const mostBytes = 64 * 2 ** 20;

/** Each record is there as the exporter wrote it, in base64 ("Handle failure in data transformation" in Firehose's guide). */
const records = /"rawData"\s*:\s*"([^"]*)"/g;

const eventsOf = (record = ''): number =>
  (JSON.parse(Buffer.from(record, 'base64').toString()) as { events: unknown[] }).events.length;

/** @returns nothing if it cannot be known: they are too large, cannot be read, or are not what Firehose writes */
async function countEvents(bucket: OpenBucket, objects: readonly ErrorObject[]): Promise<number | undefined> {
  if (objects.reduce((total, { bytes }) => total + bytes, 0) > mostBytes) return undefined;
  let events = 0;
  try {
    for (const { key, bytes } of objects) {
      const found = [...((await bucket.read(key, bytes)) ?? '').matchAll(records)];
      if (found.length === 0) return undefined;
      for (const [, record] of found) events += eventsOf(record);
    }
    return events;
  } catch {
    return undefined;
  }
}

async function record(
  reports: ErrorRecord,
  bucket: OpenBucket,
  target: BucketTarget,
  now: number,
): Promise<void> {
  const pages: Found[] = [];
  for (const folder of await bucket.folders(errorFolder))
    pages.push(await unknownIn(bucket, folder, target, now));
  const found = pages.flatMap(({ objects }) => objects);
  if (found.length === 0) return;
  const through = Math.max(...found.map(({ writtenAt }) => writtenAt));
  const range = { from: Math.min(...found.map(({ from }) => from)), to: through + resolutionMs };
  const isAll = pages.every(({ hasMore }) => !hasMore);
  const events = isAll ? await countEvents(bucket, found) : undefined;
  await reports.failed(target, lossByErrors(target, range, events), through);
}

/**
 * Names what Firehose wrote under `errors/` as given up. It says nothing about trust: if the objects cannot be listed, the
 * next test looks again.
 */
export async function recordErrorObjects(
  reports: ErrorRecord,
  bucket: OpenBucket,
  target: BucketTarget,
  now: number,
): Promise<void> {
  try {
    await record(reports, bucket, target, now);
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    const { tenantId, category } = target;
    logger.warn('errors not listed', { tenantId, category, code: error.fault.code });
  }
}
