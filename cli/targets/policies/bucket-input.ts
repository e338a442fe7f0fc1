import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { TenantTarget } from '../../../core/export/kinds/policies/tenant-documents.ts';
import { UsageError } from '../../command-error.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { deliveryRoleFor } from '../delivery-client.ts';
import type { PolicyOptions } from './options.ts';

export async function bucketInput(
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
