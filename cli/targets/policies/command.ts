import type {
  BucketDestination,
  Destination,
  StreamDestination,
  Target,
} from '../../../core/export/targets/target.ts';
import type { Category } from '../../../core/events/target-ref.ts';
import { parseArn } from '../../../core/export/verification/tenant-policies/arn.ts';
import { exporterRoleArnsOf } from '../../../core/export/verification/tenant-policies/operator-roles.ts';
import type { TenantTarget } from '../../../core/export/verification/tenant-policies/tenant-documents.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { UsageError } from '../../command-error.ts';
import { type PolicyFormat, renderPolicies } from './render.ts';
import type { Session } from '../../session.ts';
import { requireTenant } from '../../tenants/directory-of.ts';
import { newExternalId } from '../external-id-store.ts';
import { deliveryRoleFor, operatorOf } from '../../deployment/account-client.ts';
import { targetStore } from '../targets-store.ts';
import type { ExternalIdOptions } from '../set-stream.ts';

type Options = PolicyOptions & { category?: Category; format: PolicyFormat };

export type PolicyOptions = ExternalIdOptions & {
  tenant: string;
  streamArn?: string;
  roleName?: string;
  bucket?: string;
  kmsKeyArn?: string;
};

/** What the tenant must have around its stream or bucket: of the target that is there, or of one that is to be. */
export async function printPolicies(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  await requireTenant(deployment, options.tenant);
  const target = options.category && (await registered(deployment, options.tenant, options.category));
  const input = await inputOf(deployment, options, target?.destination);
  const text = renderPolicies(input, options.format);
  if (input.kind === 'stream' && options.newExternalId)
    session.note(`The external id is new: register the target with --external-id ${input.externalId}`);
  // JSON in JSON would be a string to be parsed once more.
  const policies: unknown = options.format === 'terraform' ? text : JSON.parse(text);
  session.print({ ...input, format: options.format, policies }, text);
}

const registered = async (
  deployment: Deployment,
  tenantId: string,
  category: Category,
): Promise<Target | undefined> => await targetStore(deployment).find({ tenantId, category });

/** What the policies are made from. What is said counts before what is registered. */
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
  const { role } = await deliveryRoleFor(deployment, options.tenant);
  const bucket = options.bucket ?? known?.bucket ?? '';
  const kmsKeyArn = options.kmsKeyArn ?? known?.kmsKeyArn;
  if (kmsKeyArn === undefined)
    throw new UsageError("--kms-key-arn is missing: the tenant's key for the bucket.");
  return { kind: 'bucket', bucket, kmsKeyArn, deliveryRoleArn: role.arn };
}

async function streamInput(
  deployment: Deployment,
  options: PolicyOptions,
  known: StreamDestination | undefined,
): Promise<TenantTarget> {
  const streamArn = options.streamArn ?? known?.streamArn;
  if (streamArn === undefined)
    throw new UsageError(
      'Which target? Name the --category of one that is there, a --stream-arn, or a --bucket.',
    );
  const externalId = options.newExternalId ? newExternalId() : (options.externalId ?? known?.externalId);
  if (externalId === undefined)
    throw new UsageError(
      "--external-id is missing: the tenant's random string; --new-external-id makes one.",
    );
  requireRegion(streamArn, options.kmsKeyArn);
  const roleName = options.roleName ?? known?.roleArn.split('/').at(-1);
  return {
    kind: 'stream',
    streamArn,
    externalId,
    operatorRoleArns: exporterRoleArnsOf(await operatorOf(deployment)),
    ...(roleName !== undefined && { roleName }),
    ...(options.kmsKeyArn !== undefined && { kmsKeyArn: options.kmsKeyArn }),
  };
}

function requireRegion(streamArn: string, kmsKeyArn: string | undefined): void {
  const { region } = parseArn(streamArn);
  if (kmsKeyArn === undefined || parseArn(kmsKeyArn).region === region) return;
  throw new UsageError(`--kms-key-arn must be a key in the region of the stream, ${region}.`);
}
