import type { Option } from 'commander';
import type { TenantTarget } from '../../core/export/kinds/policies/tenant-documents.ts';
import type { Kind, PlaceOf } from '../../core/export/kinds/records.ts';
import type { Register } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { PolicyOptions } from './policies/options.ts';
import { bucketOption, setBucketCommand } from './set-bucket.ts';
import { busArnOption, busInput, setBusCommand } from './set-bus.ts';
import { setStreamCommand, streamArnOption } from './set-stream.ts';
import { setWebhookCommand } from './set-webhook.ts';
import { parseArn } from '../../core/export/kinds/policies/arn.ts';
import type { StreamDestination } from '../../core/export/kinds/stream/record.ts';
import { UsageError } from '../command-error.ts';
import { roleInput } from './policies/role-input.ts';
import type { BucketDestination } from '../../core/export/kinds/bucket/record.ts';
import { deliveryRoleFor } from './delivery-client.ts';

async function bucketInput(
  deployment: Deployment,
  options: PolicyOptions,
  known: BucketDestination | undefined,
): Promise<TenantTarget> {
  const role = await deliveryRoleFor(deployment, options.tenant);
  const bucket = options.bucket ?? known?.bucket ?? '';
  const place = { kind: 'bucket' as const, bucket, deliveryRoleArn: role.arn };
  if (options.newKey) return { ...place, newKey: newKeyOf(deployment, options) };
  const kmsKeyArn = options.kmsKeyArn ?? known?.kmsKeyArn;
  if (kmsKeyArn === undefined)
    throw new UsageError(
      "Missing: --kms-key-arn, the tenant's key for the bucket. If the tenant has no key yet, pass --new-key.",
    );
  return { ...place, kmsKeyArn };
}

function newKeyOf(
  { region }: Deployment,
  { bucketOwner: account, bucketRegion = region }: PolicyOptions,
): { account: string; region: string } {
  if (account === undefined)
    throw new UsageError('Missing: --bucket-owner, the account in which the key will be created.');
  return { account, region: bucketRegion };
}

async function streamInput(
  deployment: Deployment,
  options: PolicyOptions,
  known: StreamDestination | undefined,
): Promise<TenantTarget> {
  const streamArn = options.streamArn ?? known?.streamArn ?? '';
  requireRegion(streamArn, options.kmsKeyArn);
  return {
    kind: 'stream',
    streamArn,
    ...(await roleInput(deployment, options, known)),
    ...(options.kmsKeyArn !== undefined && { kmsKeyArn: options.kmsKeyArn }),
    ...(options.newKey && { newKey: true }),
  };
}

function requireRegion(streamArn: string, kmsKeyArn: string | undefined): void {
  const { region } = parseArn(streamArn);
  if (kmsKeyArn === undefined || parseArn(kmsKeyArn).region === region) return;
  throw new UsageError(`--kms-key-arn must name a key in the region of the stream, ${region}.`);
}

/** How a kind's policies are asked for: its option names the target, and has precedence over the registered one. */
export type PolicyKind<K extends Kind> = {
  option: () => Option;
  input: (
    deployment: Deployment,
    options: PolicyOptions,
    known: PlaceOf<K> | undefined,
  ) => Promise<TenantTarget>;
};

/** The commands of each kind. Streams of signals are made by their receivers. */
export const targetKinds: { [K in Exclude<Kind, 'signals'>]: { set: Register; policies?: PolicyKind<K> } } = {
  stream: {
    set: setStreamCommand,
    policies: {
      option: () => streamArnOption("the tenant's data stream").conflicts('bucket'),
      input: streamInput,
    },
  },
  bucket: { set: setBucketCommand, policies: { option: bucketOption, input: bucketInput } },
  webhook: { set: setWebhookCommand },
  bus: { set: setBusCommand, policies: { option: busArnOption, input: busInput } },
};
