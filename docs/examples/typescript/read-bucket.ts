/** Reads the objects of an hour, in UTC, and of a category: `node read-bucket.ts <bucket> 2026/03/01/08/public/` */
import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3';
import { handle, sortByTime, SeenEvents, unwrapLines, type Event } from './events.ts';
import { handlers } from './handlers.ts';

async function eventsOf(client: S3Client, Bucket: string, Prefix: string): Promise<Event[]> {
  const events: Event[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
    for (const { Key } of Contents) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
      events.push(...unwrapLines((await Body?.transformToString()) ?? ''));
    }
  }
  return sortByTime(events);
}

const [bucket = '', prefix = ''] = process.argv.slice(2);
await handle(await eventsOf(new S3Client(), bucket, prefix), handlers, new SeenEvents());
