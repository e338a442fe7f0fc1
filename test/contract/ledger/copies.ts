import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { decodeRecord, type Event } from '#consumer';
import { StreamReader } from '../../../tools/client/stream-reader.ts';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { BucketReader, holdsEvents, type ExportedObject } from '../../../tools/local/client/bucket-reader.ts';
import { kinesisOf, readerAccess } from '../../../tools/local/client/reader-access.ts';
import type { TestStack } from '../../support/stack.ts';
import { eventually } from '../../support/waiting.ts';

/** Resolves with the copy as soon as it has all of these ids. */
async function untilComplete<Copy>(
  read: () => Promise<Copy>,
  eventsOf: (copy: Copy) => Event[],
  ids: readonly string[],
): Promise<Copy> {
  let missing = ids;
  return await eventually(
    () => `${missing.length} of ${ids.length} events have not arrived`,
    async () => {
      const copy = await read();
      const found = new Set(eventsOf(copy).map(({ metadata }) => metadata.eventId));
      missing = ids.filter((id) => !found.has(id));
      return missing.length === 0 ? copy : undefined;
    },
  );
}

/** The events of a stream behind the first so many, as soon as these are among them. */
export async function streamCopy(
  stack: TestStack,
  { streamArn }: StreamDestination,
  ids: readonly string[],
  known = 0,
): Promise<Event[]> {
  const name = streamArn.slice(streamArn.lastIndexOf('/') + 1);
  const reader = await StreamReader.open(kinesisOf(stack.file), name);
  const events: Event[] = [];
  try {
    const read = async () => {
      for (const { data } of await reader.read()) events.push(...decodeRecord(data));
      return await Promise.resolve(events);
    };
    await untilComplete(read, (copy) => copy.slice(known), ids);
    return events.slice(known);
  } finally {
    reader.close();
  }
}

const eventsIn = (objects: readonly ExportedObject[]): Event[] =>
  objects.filter(holdsEvents).flatMap(({ text }) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => decodeRecord(line)),
  );

/** A bucket as it is: what is deleted in it is gone. */
export class BucketCopy {
  readonly #stack: TestStack;
  readonly #bucket: string;

  constructor(stack: TestStack, { bucket }: BucketDestination) {
    this.#stack = stack;
    this.#bucket = bucket;
  }

  async objects(): Promise<ExportedObject[]> {
    const reader = new BucketReader(this.#stack.file, this.#bucket);
    try {
      return (await reader.read()).filter(holdsEvents);
    } finally {
      reader.close();
    }
  }

  async events(): Promise<Event[]> {
    return eventsIn(await this.objects());
  }

  async untilItHas(ids: readonly string[]): Promise<ExportedObject[]> {
    return await untilComplete(async () => await this.objects(), eventsIn, ids);
  }

  /**
   * Removes the object, and each other one that has an event of it: what was delivered twice is twice in the bucket.
   *
   * @returns the ids of the events that are gone
   */
  async remove({ key }: ExportedObject): Promise<string[]> {
    const idsIn = (objects: ExportedObject[]) => eventsIn(objects).map(({ metadata }) => metadata.eventId);
    const objects = await this.objects();
    const named = new Set(idsIn(objects.filter((object) => object.key === key)));
    const removed = objects.filter((object) => idsIn([object]).some((id) => named.has(id)));
    const client = new S3Client({ ...readerAccess(this.#stack.file, 's3'), forcePathStyle: true });
    for (const { key: Key } of removed)
      await client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key }));
    client.destroy();
    const kept = new Set(idsIn(objects.filter((object) => !removed.includes(object))));
    return [...new Set(idsIn(removed))].filter((id) => !kept.has(id));
  }
}
