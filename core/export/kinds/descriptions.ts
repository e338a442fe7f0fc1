import { isPlace, type Destination, type Kind, type PlaceOf } from './records.ts';
import type { SignalsDestination } from './signals/record.ts';
import type { WebhookDestination } from './webhook/record.ts';
import type { BusDestination } from './bus/record.ts';
import type { StreamDestination } from './stream/record.ts';
import { bucketOwnerOf } from './policies/operator-roles.ts';
import type { BucketDestination } from './bucket/record.ts';

const describeBucket = (destination: BucketDestination) => ({
  bucket: destination.bucket,
  'bucket owner': bucketOwnerOf(destination),
  key: destination.kmsKeyArn,
  'delivery role': destination.deliveryRoleArn,
  'delivery stream': destination.deliveryStreamName,
});

const describeStream = ({ streamArn, roleArn, externalId, lanes }: StreamDestination) => ({
  stream: streamArn,
  role: roleArn,
  'external id': externalId,
  lanes,
});

const describeBus = ({ busArn, roleArn, externalId, format }: BusDestination) => ({
  'event bus': busArn,
  role: roleArn,
  'external id': externalId,
  format,
});

const describeWebhook = ({ url, lanes, format }: WebhookDestination) => ({
  webhook: url,
  lanes,
  format,
});

const describeSignals = ({ streamId, url, lanes }: SignalsDestination) => ({
  'stream of signals': streamId,
  receiver: url ?? 'polls',
  lanes,
});

type Description = Record<string, string | number | undefined>;

const descriptions: { [K in Kind]: (destination: PlaceOf<K>) => Description } = {
  stream: describeStream,
  bucket: describeBucket,
  webhook: describeWebhook,
  bus: describeBus,
  signals: describeSignals,
};

/** A destination as its operator reads it. */
export function describeDestination(destination: Destination): Description {
  if (!isPlace(destination)) return { destination: destination.kind };
  const describe: (destination: never) => Description = descriptions[destination.kind];
  return describe(destination as never);
}
