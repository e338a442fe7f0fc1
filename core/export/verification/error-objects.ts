import { errorFolder } from '../provisioning/delivery-stream.ts';
import type { BucketReports } from '../targets/bucket-report-store.ts';
import { lossByErrors } from '../targets/handover.ts';
import type { BucketDestination, Target } from '../targets/target.ts';
import { logger } from '../../kernel/observability.ts';
import { hours, rfc3339, seconds } from '../../kernel/time.ts';
import type { ListedObject, OpenBucket } from './bucket-probe.ts';
import { CheckFailed } from './verification-checks.ts';

export type ErrorRecord = Pick<BucketReports, 'failed'>;

type BucketTarget = Target & { destination: BucketDestination };

/** An object that Firehose wrote for the target. It has the first of its records since `from`. */
type ErrorObject = { from: number; writtenAt: number };

/** Older events are not kept, and cannot be replayed. */
const kept = 14 * 24 * hours;
/** Firehose may have tried to deliver the records for a day, and the key has the hour in which it got them. */
const delay = 25 * hours;
/** S3 tells times in whole seconds. */
const resolution = 1 * seconds;

const hourIn = (time: number): string => rfc3339(time).slice(0, 13).replaceAll(/[-T]/g, '/');

const layout = /^(\d{4})\/(\d{2})\/(\d{2})\/(\d{2})\/([a-z]+)\/([^/]+)$/;

/** A bucket may be that of several targets: the names of objects begin with that of the delivery stream. */
function readKey(
  folder: string,
  { key, writtenAt }: ListedObject,
  { category, destination }: BucketTarget,
): ErrorObject[] {
  const [, year, month, day, hour, of, name = ''] = layout.exec(key.slice(folder.length)) ?? [];
  if (of !== category || !name.startsWith(`${destination.deliveryStreamName}-`)) return [];
  return [{ from: Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour)), writtenAt }];
}

/** The objects of one kind of error that are not known yet. Of too many for a page, all until now may be. */
async function unknownIn(
  bucket: OpenBucket,
  folder: string,
  target: BucketTarget,
  now: number,
): Promise<ErrorObject[]> {
  const { errorsThrough = 0 } = target;
  const after = Math.max(errorsThrough - delay, now - kept);
  const { objects, hasMore } = await bucket.objects(folder, `${folder}${hourIn(after)}`);
  const found = objects
    .flatMap((object) => readKey(folder, object, target))
    .filter(({ writtenAt }) => writtenAt > errorsThrough);
  return hasMore ? found.map((one) => ({ ...one, writtenAt: now })) : found;
}

async function record(
  reports: ErrorRecord,
  bucket: OpenBucket,
  target: BucketTarget,
  now: number,
): Promise<void> {
  const found: ErrorObject[] = [];
  for (const folder of await bucket.folders(errorFolder))
    found.push(...(await unknownIn(bucket, folder, target, now)));
  if (found.length === 0) return;
  const through = Math.max(...found.map(({ writtenAt }) => writtenAt));
  const range = { from: Math.min(...found.map(({ from }) => from)), to: through + resolution };
  await reports.failed(target, lossByErrors(target, range), through);
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
