/** Targets of the local AWS that get whole events, as they are recorded and exported. */
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { UpdateDestinationCommand, DescribeDeliveryStreamCommand } from '@aws-sdk/client-firehose';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { eventWrites } from '../../../core/events/event-items.ts';
import { wantedDeliveryStream } from '../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { Event } from '../../../core/events/event.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { type ExportWorld } from '../../support/export-world.ts';
import { until } from '../../support/waiting.ts';

/** What a later version of the service may write, too: its types and versions are not in today's. */
export type AnyEvent = {
  metadata: { eventId: string; tenantId: string; aggregateId?: string } & Record<string, unknown>;
  payload?: unknown;
};

let sequence = 0;

/** The table's stream, after these were accepted in one call. */
export function acceptedRecords(tenantId: string, events: readonly AnyEvent[]): DynamoDBRecord[] {
  const acceptance = {
    tenantId,
    events: events as unknown as Event[],
    acceptedAt: Date.now(),
    by: 'platform' as const,
  };
  return eventWrites('events', acceptance).flatMap(({ Put }) => {
    const item = Put?.Item ?? {};
    if (item['sequence'] === undefined) return [];
    sequence += 1;
    return [
      {
        eventName: 'INSERT',
        dynamodb: {
          SequenceNumber: String(sequence).padStart(20, '0'),
          ApproximateCreationDateTime: Math.floor(Date.now() / 1000),
          NewImage: marshall(item) as Record<string, AttributeValue>,
        },
      },
    ];
  });
}

export async function activate(world: ExportWorld, ref: TargetRef, destination: Destination): Promise<void> {
  await world.deps.targets.register(ref, destination, Date.now());
  if ((await world.target(ref)).state === 'validating') await world.validate(ref);
}

/** A bucket for a tenant's events of a category, with the prefixes that the service sets. */
export async function bucketFor(world: ExportWorld, ref: TargetRef): Promise<string> {
  const { name, destination } = await world.bucketTarget();
  const wanted = wantedDeliveryStream(destination, ref.category, { prefix: 'omi-dev-' });
  const { DeliveryStreamDescription: described } = await world.firehose.send(
    new DescribeDeliveryStreamCommand({ DeliveryStreamName: destination.deliveryStreamName }),
  );
  await world.firehose.send(
    new UpdateDestinationCommand({
      DeliveryStreamName: destination.deliveryStreamName,
      CurrentDeliveryStreamVersionId: described?.VersionId,
      DestinationId: described?.Destinations?.[0]?.DestinationId,
      ExtendedS3DestinationUpdate: { Prefix: wanted.prefix, ErrorOutputPrefix: wanted.errorPrefix },
    }),
  );
  await activate(world, ref, destination);
  return name;
}

export type WrittenObject = { key: string; text: string };

/** The bucket's objects, once they have this many lines. */
export async function writtenObjects(bucket: string, lines: number): Promise<WrittenObject[]> {
  const s3 = new S3Client({ forcePathStyle: true });
  let objects: WrittenObject[] = [];
  await until(async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
    objects = await Promise.all(
      Contents.map(async ({ Key = '' }) => {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
        return { key: Key, text: (await Body?.transformToString()) ?? '' };
      }),
    );
    return linesOf(objects).length >= lines;
  });
  return objects;
}

export const linesOf = (objects: WrittenObject[]): string[] =>
  objects.flatMap(({ text }) => text.split('\n').filter((line) => line !== ''));

export const base64 = (data: Uint8Array | string | undefined): string =>
  Buffer.from(data ?? '').toString('base64');

/** A stream of a tenant of its own with these events, in batches as the exporter gets them. */
export async function streamOf(
  world: ExportWorld,
  batches: ((tenantId: string) => AnyEvent[])[],
): Promise<string> {
  const { ref, name } = await world.streamTarget({ lanes: 4, shards: 2 });
  for (const batch of batches) {
    const failed = await world.export(acceptedRecords(ref.tenantId, batch(ref.tenantId)));
    if (failed.length > 0) throw new Error('The export failed');
    // On a busy machine the stream may count as slow: then the batch is parked.
    await world.deliverParked(ref);
  }
  return name;
}
