import type { BucketDestination } from '../record.ts';
import { categories, type TargetRef } from '../../../../events/target-ref.ts';

/** When Firehose writes an object, whichever comes first. */
export type Buffering = { seconds: number; mebibytes: number };

/** The defaults of Firehose. */
export const defaultBuffering: Buffering = { seconds: 300, mebibytes: 5 };

/**
 * The settings of a bucket's delivery stream that the service makes. No processor adds a delimiter: the exporter ends each
 * line itself.
 */
export type DeliveryStreamConfiguration = {
  bucketArn: string;
  /** The operator's role for this tenant, which Firehose assumes. */
  roleArn: string;
  prefix: string;
  errorPrefix: string;
  buffering: Buffering;
  /** If absent, the bucket's own encryption applies. */
  kmsKeyArn?: string;
  compression: 'UNCOMPRESSED';
  /** The log group of errors. */
  logGroup: string;
};

/** The longest name that Firehose takes is 64 characters; a tenant's id and a category take 43 of them. */
export const longestDeliveryStreamPrefix = 21;

/** Each target has one delivery stream, whose name follows from the target. */
export const deliveryStreamNameOf = (prefix: string, { tenantId, category }: TargetRef): string =>
  `${prefix}${tenantId}-${category}`;

/** @returns nothing for the name of another delivery stream */
export function targetOfDeliveryStream(prefix: string, name: string): TargetRef | undefined {
  const category = categories.find((one) => name.endsWith(`-${one}`));
  if (!category || !name.startsWith(prefix)) return undefined;
  return { tenantId: name.slice(prefix.length, -category.length - 1), category };
}

/** All delivery streams of a deployment write their errors into one log stream: each entry names its delivery stream. */
export const errorLogStream = 'errors';

export const errorLogGroupOf = (prefix: string): string => `/aws/kinesisfirehose/${prefix.replace(/-$/, '')}`;

/** Each tenant has its own delivery role, whose name ends with its id. Another role could write into another tenant's bucket. */
export const isRoleOf = ({ tenantId }: Pick<TargetRef, 'tenantId'>, roleArn: string): boolean =>
  roleArn.toLowerCase().endsWith(`-${tenantId.toLowerCase()}`);

/** Beside the folders of the hours, so that nobody reads failed records as events. */
export const errorFolder = 'errors/';

/** Firehose evaluates it in UTC. `YYYY` would be the year of the week, which is wrong around New Year. */
const hour = '!{timestamp:yyyy/MM/dd/HH}';

const partitionOf = (arn: string): string => arn.split(':')[1] ?? 'aws';

/** The delivery stream that a destination needs. */
export const wantedDeliveryStream = (
  { bucket, deliveryRoleArn, kmsKeyArn }: BucketDestination,
  category: TargetRef['category'],
  { prefix, buffering = defaultBuffering }: { prefix: string; buffering?: Buffering },
): DeliveryStreamConfiguration => ({
  bucketArn: `arn:${partitionOf(deliveryRoleArn)}:s3:::${bucket}`,
  roleArn: deliveryRoleArn,
  prefix: `${hour}/${category}/`,
  errorPrefix: `${errorFolder}!{firehose:error-output-type}/${hour}/${category}/`,
  buffering,
  ...(kmsKeyArn !== undefined && { kmsKeyArn }),
  compression: 'UNCOMPRESSED',
  logGroup: errorLogGroupOf(prefix),
});

/** Firehose describes only settings that were made. */
export type FoundConfiguration = { [Field in keyof DeliveryStreamConfiguration]?: unknown };

/** True if all settings that the service makes are as wanted. */
export const isAsWanted = (found: FoundConfiguration, wanted: DeliveryStreamConfiguration): boolean =>
  comparable(found) === comparable(wanted);

function comparable(configuration: FoundConfiguration): string {
  const { bucketArn, roleArn, prefix, errorPrefix, buffering, kmsKeyArn, compression, logGroup } =
    configuration;
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
    logGroup,
  ]);
}

/** Milliseconds in which an exporter may still write to the destination that it read before the target changed. */
const underWayMs = 120_000;

/**
 * Milliseconds after a target's last change until its delivery stream may be deleted. A deletion loses what the stream
 * buffers, and by then it has written everything.
 */
export const drainTime = ({ seconds }: Pick<Buffering, 'seconds'>): number => underWayMs + seconds * 1_000;
