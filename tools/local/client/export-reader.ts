import { BucketReader, holdsEvents } from './bucket-reader.ts';
import { type ExportedEvent, linesOf, unwrap } from '../../../client/exported-events.ts';
import { ClientError } from '../../../client/http.ts';
import type { StackFile } from './local-stack.ts';
import { kinesisOf } from './reader-access.ts';
import { StreamReader } from '../../../client/stream-reader.ts';

/** A consumer of a tenant's events of one category, from a stream or a bucket. Each `read` returns the new events. */
export type ExportReader = {
  /** A description for people. */
  place: string;
  read: () => Promise<ExportedEvent[]>;
  close: () => void;
};

type Options = { tenantId: string; category: 'public' | 'log'; from: 'now' | 'beginning' };

/** Returns each event of the tenant once, although events may arrive twice and tenants may share a target. */
export async function openExport(stack: StackFile, options: Options): Promise<ExportReader> {
  const { tenantId, category } = options;
  const target = stack.exports.find((one) => one.tenantId === tenantId && one.category === category);
  if (!target) throw new ClientError(`The ${category} events of ${tenantId} are not exported`);
  const { streamName = '', bucket = '' } = target;
  const names = { stream: streamName, bucket };
  const source = await openers[target.kind](stack, names[target.kind], options);
  const seen = new Set<string>();
  const isNew = ({ metadata }: ExportedEvent): boolean =>
    metadata.tenantId === tenantId &&
    metadata.category === category &&
    !seen.has(metadata.eventId) &&
    Boolean(seen.add(metadata.eventId));
  return { ...source, read: async () => (await source.read()).filter(isNew) };
}

async function openStream(stack: StackFile, name: string, { from }: Options): Promise<ExportReader> {
  const reader = await StreamReader.open(kinesisOf(stack), name, from === 'now' ? 'LATEST' : 'TRIM_HORIZON');
  return {
    place: `stream ${name}`,
    read: async () => (await reader.read()).flatMap(({ data }) => unwrap(data)),
    close: () => reader.close(),
  };
}

async function openBucket(
  stack: StackFile,
  name: string,
  { from, category }: Options,
): Promise<ExportReader> {
  const reader = new BucketReader(stack, name);
  if (from === 'now') await reader.skip();
  return {
    place: `bucket ${name}`,
    read: async () => {
      const objects = (await reader.read()).filter(
        (object) => holdsEvents(object) && object.key.includes(`/${category}/`),
      );
      return objects.flatMap(({ text }) => linesOf(text).flatMap(unwrap));
    },
    close: () => reader.close(),
  };
}

const openers = { stream: openStream, bucket: openBucket };
