import * as v from 'valibot';
import { deliveryStreamNameOf } from '../../core/export/provisioning/delivery-stream.ts';
import { parseArn } from '../../core/export/verification/tenant-policies/arn.ts';
import { destination } from '../../core/export/targets/target.ts';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { type Deployment, prefixOf } from '../deployment/deployment.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/directory-of.ts';
import { deliveryRoleFor } from '../deployment/account-client.ts';
import { register } from './register.ts';
import { findBefore, refOf, type TargetOptions } from './targets-store.ts';

type Options = TargetOptions & { bucket: string; kmsKeyArn: string; bucketOwner?: string; type?: string[] };

/** Makes the tenant's delivery role, lets it write into the bucket, and registers the bucket. */
export async function setBucket(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const { tenantId } = await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const { bucket, type } = options;
  const owned = { bucket, kmsKeyArn: options.kmsKeyArn, ...ownerOf(options) };
  const { role, roles } = await deliveryRoleFor(deployment, tenantId);
  await roles.ensure(role, tenantId);
  await roles.allow(role, ref.category, owned);
  session.note(`The delivery role is there: ${role.arn}`);
  // Not at the change itself: what Firehose still has for the earlier bucket must get there.
  if (await isSettled(deployment, ref, bucket)) await roles.forbidOthers(role, ref.category, bucket);
  await register(session, deployment, ref, {
    destination: v.parse(destination, {
      kind: 'bucket',
      ...owned,
      deliveryRoleArn: role.arn,
      deliveryStreamName: deliveryStreamNameOf(`${prefixOf(deployment)}-`, ref),
    }),
    types: type,
  });
}

/** Said only where it is another account than the key's, so that the same target is the same destination. */
const ownerOf = ({ bucketOwner, kmsKeyArn }: Options): { bucketOwner?: string } =>
  bucketOwner === undefined || bucketOwner === parseArn(kmsKeyArn).account ? {} : { bucketOwner };

/** Whether the target writes into this bucket already, by a delivery stream that is made for it. */
async function isSettled(deployment: Deployment, ref: TargetRef, bucket: string): Promise<boolean> {
  const target = await findBefore(deployment, ref);
  if (target === 'malformed' || target?.destination.kind !== 'bucket') return false;
  return target.destination.bucket === bucket && target.provisionedAt !== undefined;
}
