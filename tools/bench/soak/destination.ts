import { randomUUID } from 'node:crypto';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { WebsiteClient } from '../../client/website-client.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { BucketReader, holdsEvents } from '../../local/client/bucket-reader.ts';
import { kinesisOf, readerAccess } from '../../local/client/reader-access.ts';
import { linesOf } from '../../client/exported-events.ts';
import { StreamReader } from '../../client/stream-reader.ts';
import { makeBucketTarget } from '../../local/seed/bucket-target.ts';
import { makeStreamTarget } from '../../local/seed/stream-target.ts';
import type { LocalStack } from '../stack/stack.ts';
import { omi } from '../stack/omi.ts';
import type { Resources } from './faults.ts';
import { Receiver } from './receiver.ts';
import type { SoakEvent } from './arrivals.ts';
import type { Source } from './recorder.ts';
import type { TargetKind } from './target-kinds.ts';
import { readRecord } from './workload.ts';

/** The account of the soak's tenants. */
const account = '333333333333';

/** A tenant with a target, and a consumer that reads what arrives there. */
export type Destination = Source & {
  kind: TargetKind;
  ref: TargetRef;
  resources: Partial<Resources>;
  /** The new events, in the order of their arrival. */
  read: () => Promise<SoakEvent[]>;
  close: () => void;
};

type Made = Pick<Destination, 'resources' | 'read' | 'close'>;

const createdTenant = v.object({ tenantId: v.string() });
const createdClient = v.object({ clientId: v.string(), clientSecret: v.string() });

/** Registers a tenant with an active target, as an operator does. */
export async function openDestination(stack: LocalStack, kind: TargetKind): Promise<Destination> {
  const { tenantId } = v.parse(
    createdTenant,
    await omi(stack, 'tenant', 'create', '--name', `Soak: ${kind}`),
  );
  const scope = ['--name', 'soak', '--scope', 'omi:events:post'];
  const client = v.parse(createdClient, await omi(stack, 'client', 'create', tenantId, ...scope));
  const made = await makers[kind](stack, tenantId);
  return {
    kind,
    tenantId,
    ref: { tenantId, category: 'public' },
    client: new WebsiteClient({ ...stack.file, ...client }),
    ...made,
  };
}

const makers: Record<TargetKind, (stack: LocalStack, tenantId: string) => Promise<Made>> = {
  stream: openStream,
  bucket: openBucket,
  webhook: openWebhook,
};

async function openStream(stack: LocalStack, tenantId: string): Promise<Made> {
  const streamName = `soak-${tenantId}`;
  const destination = { account, streamName, externalId: randomUUID() };
  const { streamArn, roleArn, externalId } = await makeStreamTarget(stack.file.aws, destination);
  const access = ['--stream-arn', streamArn, '--role-arn', roleArn, '--external-id', externalId];
  await omi(stack, 'target', 'set', 'stream', tenantId, 'public', ...access);
  await omi(stack, 'target', 'test', tenantId, 'public');
  const reader = await StreamReader.open(kinesisOf(stack.file), streamName);
  return {
    resources: { streamName },
    read: async () => (await reader.read()).flatMap(({ data }) => readRecord(data)),
    close: () => reader.close(),
  };
}

const testedBucket = v.object({ reason: v.string() });

async function openBucket(stack: LocalStack, tenantId: string): Promise<Made> {
  const bucket = `soak-${tenantId}`;
  const target = { tenantId, category: 'public' as const, account, bucket, keyId: randomUUID() };
  const { kmsKeyArn = '', deliveryStreamName } = await makeBucketTarget(stack.file.aws, target);
  const place = ['--bucket', bucket, '--kms-key-arn', kmsKeyArn];
  await omi(stack, 'target', 'set', 'bucket', tenantId, 'public', ...place);
  const { reason } = v.parse(testedBucket, await omi(stack, 'target', 'test', tenantId, 'public'));
  const proof = await readProof(stack, bucket, reason);
  await omi(stack, 'target', 'test', tenantId, 'public', '--proof', proof);
  const reader = new BucketReader(stack.file, bucket);
  return {
    resources: { bucket, deliveryStreamName },
    read: async () =>
      (await reader.read()).filter(holdsEvents).flatMap(({ text }) => linesOf(text).flatMap(readRecord)),
    close: () => reader.close(),
  };
}

/** As the owner of the bucket: the reason says which object holds the text. */
async function readProof(stack: LocalStack, Bucket: string, reason: string): Promise<string> {
  const Key = /the object (\S+)/.exec(reason)?.[1];
  if (Key === undefined) throw new Error(`The test asks for no proof: ${reason}`);
  const client = new S3Client({ ...readerAccess(stack.file, 's3'), forcePathStyle: true });
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
    return (await Body?.transformToString()) ?? '';
  } finally {
    client.destroy();
  }
}

async function openWebhook(stack: LocalStack, tenantId: string): Promise<Made> {
  const receiver = await Receiver.start();
  await omi(stack, 'target', 'set', 'webhook', tenantId, 'public', '--url', receiver.url);
  await omi(stack, 'target', 'test', tenantId, 'public');
  return {
    resources: { receiver },
    read: async () => await Promise.resolve(receiver.take()),
    close: () => receiver.close(),
  };
}
