import { randomUUID } from 'node:crypto';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { WebsiteClient } from '../../../client/website-client.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { BucketReader, holdsEvents } from '../../local/client/bucket-reader.ts';
import { kinesisOf, readerAccess } from '../../local/client/reader-access.ts';
import { linesOf } from '../../../client/exported-events.ts';
import { StreamReader } from '../../../client/stream-reader.ts';
import { sentTo } from '../../local/client/sent-to-bus.ts';
import { makeBucketTarget } from '../../local/seed/bucket-target.ts';
import { makeBusTarget } from '../../local/seed/bus-target.ts';
import { makeStreamTarget } from '../../local/seed/stream-target.ts';
import { omi } from '../stack/omi.ts';
import type { LocalStack } from '../stack/stack.ts';
import type { Resources, TargetKind } from './faults.ts';
import { startReceiver } from './receiver.ts';

/** The account of the soak's tenants. */
const account = '333333333333';

/** A tenant with a target, and a consumer that reads the texts of what arrives there, in the order of their arrival. */
export type Destination = {
  kind: TargetKind;
  ref: TargetRef;
  client: WebsiteClient;
  resources: Resources;
  read: () => Promise<string[]>;
  close: () => void;
};
type Made = Pick<Destination, 'resources' | 'read' | 'close'>;
type Maker = (stack: LocalStack, tenantId: string) => Promise<Made>;

/** Registers a tenant with an active target, as an operator does. */
export async function openDestination(stack: LocalStack, kind: TargetKind): Promise<Destination> {
  const { tenantId = '' } = await omi(stack, 'tenant', 'create', '--name', `Soak: ${kind}`);
  const scope = ['--name', 'soak', '--scope', 'omi:events:post'];
  const { clientId = '', clientSecret = '' } = await omi(stack, 'client', 'create', tenantId, ...scope);
  const client = new WebsiteClient({ ...stack.file, clientId, clientSecret });
  return { kind, client, ref: { tenantId, category: 'public' }, ...(await makers[kind](stack, tenantId)) };
}

const makers: Record<TargetKind, Maker> = {
  stream: async (stack, tenantId) => {
    const streamName = `soak-${tenantId}`;
    const destination = { account, streamName, externalId: randomUUID() };
    const { streamArn, roleArn, externalId } = await makeStreamTarget(stack.file.aws, destination);
    const access = ['--stream-arn', streamArn, '--role-arn', roleArn, '--external-id', externalId];
    await omi(stack, 'target', 'set', 'stream', tenantId, 'public', ...access);
    await omi(stack, 'target', 'test', tenantId, 'public');
    const reader = await StreamReader.open(kinesisOf(stack.file), streamName);
    const read = async () => (await reader.read()).map(({ data }) => data);
    return { resources: { streamName }, read, close: () => reader.close() };
  },
  bucket: async (stack, tenantId) => {
    const bucket = `soak-${tenantId}`;
    const target = { tenantId, category: 'public' as const, account, bucket, keyId: randomUUID() };
    const { kmsKeyArn = '', deliveryStreamName } = await makeBucketTarget(stack.file.aws, target);
    const place = ['--bucket', bucket, '--kms-key-arn', kmsKeyArn];
    await omi(stack, 'target', 'set', 'bucket', tenantId, 'public', ...place);
    const { reason = '' } = await omi(stack, 'target', 'test', tenantId, 'public');
    // As the owner of the bucket: the reason says which object holds the text.
    const s3 = new S3Client({ ...readerAccess(stack.file, 's3'), forcePathStyle: true });
    const object = { Bucket: bucket, Key: /the object (\S+)/.exec(reason)?.[1] };
    const proof = await (await s3.send(new GetObjectCommand(object))).Body?.transformToString();
    s3.destroy();
    await omi(stack, 'target', 'test', tenantId, 'public', '--proof', proof ?? '');
    const reader = new BucketReader(stack.file, bucket);
    const read = async () => (await reader.read()).filter(holdsEvents).flatMap(({ text }) => linesOf(text));
    return { resources: { bucket, deliveryStreamName }, read, close: () => reader.close() };
  },
  webhook: async (stack, tenantId) => {
    const receiver = await startReceiver();
    await omi(stack, 'target', 'set', 'webhook', tenantId, 'public', '--url', receiver.url);
    await omi(stack, 'target', 'test', tenantId, 'public');
    return {
      resources: { receiver },
      read: async () => await Promise.resolve(receiver.take()),
      close: receiver.close,
    };
  },
  bus: async (stack, tenantId) => {
    const busName = `soak-${tenantId}`;
    const bus = { account, busName, externalId: randomUUID() };
    const { busArn, roleArn, externalId } = await makeBusTarget(stack.file.aws, bus);
    const access = ['--arn', busArn, '--role-arn', roleArn, '--external-id', externalId];
    await omi(stack, 'target', 'set', 'bus', tenantId, 'public', ...access);
    await omi(stack, 'target', 'test', tenantId, 'public');
    let seen = 0;
    const read = async () => {
      const sent = await sentTo(stack.file.aws.endpoints.eventbridge, busArn);
      const arrived = sent.slice(seen).filter(({ detailType }) => detailType !== 'omi.verification');
      seen = sent.length;
      return arrived.map(({ detail }) => `{"events":[${detail}]}`);
    };
    return { resources: { busName }, read, close: () => undefined };
  },
};
