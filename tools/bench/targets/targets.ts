import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { targetKey } from '../../../core/export/targets/target-item.ts';
import { kinds, type Destination, type Kind } from '../../../core/export/kinds/records.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { chunksOf } from '../../../core/kernel/chunks.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import { tenantKeys } from '../../../core/tenants/tenant-keys.ts';
import { localTables } from '../../local/resources/tables.ts';
import { seeded } from '../report/seeded.ts';

/** Streams of signals are none of the targets that an operator sees. */
type TenantKind = Exclude<Kind, 'signals'>;
const tenantKinds = kinds.filter((kind): kind is TenantKind => kind !== 'signals');

const tenantOf = (index: number): string => `0199c0de-0001-7000-8000-${String(index).padStart(12, '0')}`;

/** The stand-in for STS compares it with the number in the role's name. */
export const externalIdOf = (index: number): string => `k7Qm2xV9sLr4tWp8${index}`;

const sealed = { sealed: Buffer.alloc(190, 1).toString('base64'), createdAt: 1 };

function destinationOf(index: number, webhooks: string): Destination {
  const roleArn = `arn:aws:iam::111122223333:role/omi-event-export-${index}`;
  const externalId = externalIdOf(index);
  const destinations: Record<TenantKind, () => Destination> = {
    stream: () => {
      const streamArn = `arn:aws:kinesis:eu-central-1:111122223333:stream/events-${index}`;
      return { kind: 'stream', streamArn, roleArn, externalId, lanes: 2 };
    },
    bucket: () => ({
      kind: 'bucket',
      bucket: `events-of-${index}`,
      deliveryRoleArn: `arn:aws:iam::000000000000:role/omi/delivery-${tenantOf(index)}`,
      deliveryStreamName: `omi-bench-${tenantOf(index)}-public`,
    }),
    webhook: () => ({ kind: 'webhook', url: `${webhooks}/${index}`, lanes: 2 }),
    bus: () => {
      const busArn = `arn:aws:events:eu-central-1:111122223333:event-bus/events-${index}`;
      return { kind: 'bus', busArn, roleArn, externalId };
    },
  };
  return destinations[tenantKinds[index % tenantKinds.length] ?? 'stream']();
}

function targetOf(index: number, webhooks: string): Target {
  const destination = destinationOf(index, webhooks);
  return {
    ...{ tenantId: tenantOf(index), category: 'public', destination, state: 'active' },
    ...{ stateSince: 1, verifiedAt: 1, acceptedCount: 1_234_567, deliveredCount: 1_234_567 },
    ...{ parkedCount: 0, parkedThrough: {}, drainedThrough: {}, waitingSince: {} },
    ...(destination.kind === 'bucket' && { provisionedAt: 1, bufferSeconds: 60 }),
    ...(destination.kind === 'webhook' && { webhookSecrets: [sealed] }),
  };
}

/** A hundredth of the targets needs an action of its tenant. */
const shareInTrouble = 0.01;

const inTrouble = (target: Target): Target => ({
  ...target,
  state: 'parked',
  parkedCount: 1,
  parkedThrough: { '0/2': '1' },
  waitingSince: { '0/2': 1 },
  fault: { actor: 'tenant', code: 'AccessDenied', reason: 'The tenant must allow the service to write.' },
});

/** The target of each tenant. As many are of each kind. */
export const targetsOf = (count: number, webhooks: string): Target[] =>
  Array.from({ length: count }, (_, index) => targetOf(index, webhooks));

/** The same, with some that need an action: the same ones for the same seed. */
export function withTrouble(targets: readonly Target[], seed: number): Target[] {
  const random = seeded(seed);
  return targets.map((target) => (random() < shareInTrouble ? inTrouble(target) : target));
}

/** A tenant has a target, a profile, and a client that gets call-backs. */
function itemsOf(target: Target): object[] {
  const { tenantId } = target;
  const clientId = `client-of-${tenantId}`;
  const receiver = { clientId, tenantId, url: 'https://www.example.com/omi/callbacks', secrets: [sealed] };
  return [
    { ...targetKey(target), ...target },
    { ...tenantKeys.profile(tenantId), tenantId, name: 'Example', settings: {} },
    { ...tenantKeys.client(clientId), tenantId },
    { ...tenantKeys.clientCallback(clientId), ...receiver, state: 'active', since: 1, fast: true },
  ];
}

async function putAll(client: DynamoDBDocumentClient, items: readonly object[]): Promise<void> {
  await mapConcurrent(chunksOf(items, 25), 8, async (chunk) => {
    const writes = chunk.map((item) => ({ PutRequest: { Item: item as Record<string, unknown> } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [localTables.tenants]: writes } }));
  });
}

/** Without content first: a bucket that is new in the table would be provisioned. */
export async function writeTenants(
  client: DynamoDBDocumentClient,
  targets: readonly Target[],
): Promise<void> {
  await putAll(client, targets.map(targetKey));
  await putAll(client, targets.flatMap(itemsOf));
}

/** A batch of the events table's stream with an event of each of these tenants. */
export const batchOf = (first: number, count: number, now: number): DynamoDBRecord[] =>
  Array.from({ length: count }, (_, offset) => {
    const index = first + offset;
    return {
      eventName: 'INSERT' as const,
      dynamodb: {
        SequenceNumber: String(index),
        ApproximateCreationDateTime: Math.floor(now / 1_000),
        NewImage: {
          pk: { S: `${tenantOf(index)}#a` },
          sk: { S: String(index) },
          sequence: { S: String(index).padStart(20, '0') },
          type: { S: 'UserSignedInEvent' },
          event: {
            S: `{"metadata":{"type":"UserSignedInEvent"},"payload":{"destination":"${'x'.repeat(512)}"}}`,
          },
        },
      },
    };
  });
