/** The events of the objects below a prefix, one after the other. */
import type { Readable } from 'node:stream';
import { GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { decodeObject, type Event } from '@omi/consumer';

export async function* eventsOf(client: S3Client, Bucket: string, Prefix: string): AsyncGenerator<Event> {
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix }))
    for (const { Key } of Contents) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      if (Body) yield* decodeObject(Body as Readable);
    }
}
