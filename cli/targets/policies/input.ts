import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import { parseArn } from '../../../core/export/kinds/policies/arn.ts';
import { exporterRoleArnsOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import type { TenantTarget } from '../../../core/export/kinds/policies/tenant-documents.ts';
import { UsageError } from '../../command-error.ts';
import { operatorOf } from '../../deployment/account-client.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { deliveryRoleFor } from '../delivery-client.ts';
import { newExternalId } from '../external-id-store.ts';
import type { ExternalIdOptions } from '../set-stream.ts';

export type PolicyOptions = ExternalIdOptions & {
  tenant: string;
  streamArn?: string;
  roleName?: string;
  bucket?: string;
  kmsKeyArn?: string;
  newKey?: true;
  bucketOwner?: string;
  bucketRegion?: string;
};

/** The input for the policies. Options take precedence over the registered target. */
export async function inputOf(
  deployment: Deployment,
  options: PolicyOptions,
  destination: Destination | undefined,
): Promise<TenantTarget> {
  const stream = destination?.kind === 'stream' ? destination : undefined;
  const bucket = destination?.kind === 'bucket' ? destination : undefined;
  const isBucket = options.bucket !== undefined || (bucket && options.streamArn === undefined);
  if (isBucket) return await bucketInput(deployment, options, bucket);
  return await streamInput(deployment, options, stream);
}

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
  const streamArn = options.streamArn ?? known?.streamArn;
  if (streamArn === undefined)
    throw new UsageError(
      'Missing: the target. Pass the category of a registered target, --stream-arn or --bucket.',
    );
  const externalId = options.newExternalId ? newExternalId() : (options.externalId ?? known?.externalId);
  if (externalId === undefined)
    throw new UsageError("Missing: --external-id, the tenant's random string. --new-external-id makes one.");
  requireRegion(streamArn, options.kmsKeyArn);
  const role = options.roleName ?? known?.roleArn.split('/').at(-1);
  return {
    kind: 'stream',
    streamArn,
    externalId,
    operatorRoleArns: exporterRoleArnsOf(await operatorOf(deployment)),
    ...(role !== undefined && { roleName: role }),
    ...(options.kmsKeyArn !== undefined && { kmsKeyArn: options.kmsKeyArn }),
    ...(options.newKey && { newKey: true }),
  };
}

function requireRegion(streamArn: string, kmsKeyArn: string | undefined): void {
  const { region } = parseArn(streamArn);
  if (kmsKeyArn === undefined || parseArn(kmsKeyArn).region === region) return;
  throw new UsageError(`--kms-key-arn must name a key in the region of the stream, ${region}.`);
}
