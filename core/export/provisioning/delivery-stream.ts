import type { BucketDestination } from '../targets/target.ts';
import type { Category, TargetRef } from '../../events/target-ref.ts';

/** When Firehose makes an object of what it has, whichever comes first. */
export type Buffering = { seconds: number; mebibytes: number };

/** Firehose's own. */
export const defaultBuffering: Buffering = { seconds: 300, mebibytes: 5 };

/**
 * What the service sets of a bucket's delivery stream. No processor adds a delimiter: the exporter ends each record's
 * line itself.
 */
export type DeliveryStreamConfiguration = {
  bucketArn: string;
  /** The operator's role for this tenant, which Firehose assumes. */
  roleArn: string;
  prefix: string;
  errorPrefix: string;
  buffering: Buffering;
  /** Without it the bucket's own encryption holds. */
  kmsKeyArn?: string;
  compression: 'UNCOMPRESSED';
};

/** The longest name that Firehose takes is 64 characters; a tenant's id and a category take 43 of them. */
export const longestDeliveryStreamPrefix = 21;

/** The one delivery stream of a target: whoever knows the target knows the name, and no two share one. */
export const deliveryStreamNameOf = (prefix: string, { tenantId, category }: TargetRef): string =>
  `${prefix}${tenantId}-${category}`;

/** Each tenant has a delivery role of its own, whose name ends in its id: by another's, its events got into their bucket. */
export const isRoleOf = ({ tenantId }: Pick<TargetRef, 'tenantId'>, roleArn: string): boolean =>
  roleArn.toLowerCase().endsWith(`-${tenantId.toLowerCase()}`);

/** `yyyy`: `YYYY` would be the year of the week, wrong around New Year. Firehose evaluates it in UTC. */
const hour = '!{timestamp:yyyy/MM/dd/HH}';

const partitionOf = (arn: string): string => arn.split(':')[1] ?? 'aws';

/** The delivery stream that a destination asks for. */
export const wantedDeliveryStream = (
  { bucket, deliveryRoleArn, kmsKeyArn }: BucketDestination,
  category: Category,
  buffering: Buffering = defaultBuffering,
): DeliveryStreamConfiguration => ({
  bucketArn: `arn:${partitionOf(deliveryRoleArn)}:s3:::${bucket}`,
  roleArn: deliveryRoleArn,
  prefix: `${hour}/${category}/`,
  // Apart from the prefix above, so that nobody reads what failed as events.
  errorPrefix: `errors/!{firehose:error-output-type}/${hour}/${category}/`,
  buffering,
  ...(kmsKeyArn !== undefined && { kmsKeyArn }),
  compression: 'UNCOMPRESSED',
});

/** What Firehose tells of a delivery stream may lack what nobody set. */
export type FoundConfiguration = { [Field in keyof DeliveryStreamConfiguration]?: unknown };

/** Whether what is there is what is wanted, in all that the service sets. */
export const isAsWanted = (found: FoundConfiguration, wanted: DeliveryStreamConfiguration): boolean =>
  comparable(found) === comparable(wanted);

function comparable(configuration: FoundConfiguration): string {
  const { bucketArn, roleArn, prefix, errorPrefix, buffering, kmsKeyArn, compression } = configuration;
  const { seconds, mebibytes } = (buffering ?? {}) as Partial<Buffering>;
  return JSON.stringify([
    bucketArn,
    roleArn,
    prefix,
    errorPrefix,
    seconds,
    mebibytes,
    kmsKeyArn,
    compression,
  ]);
}

/** Milliseconds for which an exporter may still write by what it read before the target changed. */
const underWay = 120_000;

/**
 * Milliseconds after a target's last change until its delivery stream may be deleted: what it was given has been
 * written by then, as deleting loses what it still buffers.
 */
export const drainTime = ({ seconds }: Pick<Buffering, 'seconds'>): number => underWay + seconds * 1_000;
