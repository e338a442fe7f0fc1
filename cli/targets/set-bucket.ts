import * as v from 'valibot';
import type { TargetRef } from '../../core/events/target-ref.ts';
import { deliveryStreamNameOf } from '../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import { bucketDestination, bucketNameCharacters, isBucket } from '../../core/export/kinds/bucket/record.ts';
import { parseArn } from '../../core/export/kinds/policies/arn.ts';
import { defineCommand } from '../command.ts';
import { type Deployment, prefixOf } from '../deployment/deployment.ts';
import { categoryId, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption, regionalArn, typeOption, yesOption } from '../options.ts';
import { requireKnownTypes } from '../event-types.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/profile-store.ts';
import { deliveryRoleFor } from './delivery-client.ts';
import { registerTarget } from './register-target.ts';
import { findBefore, refOf, type TargetOptions } from './target-record.ts';

const { entries: fields } = bucketDestination;

/** Reserved for aliases, access points and other kinds of buckets. */
const reservedStart = /^(?:xn--|sthree-|amzn-s3-demo-)/;
const reservedEnd = /(?:-s3alias|--ol-s3|\.mrap|--x-s3|--table-s3)$/;
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html, "General purpose bucket naming rules" */
const bucketName = v.pipe(
  v.string(),
  v.regex(
    bucketNameCharacters,
    'expected 3 to 63 characters of a-z 0-9 . -, with a letter or digit at both ends',
  ),
  v.check((name) => !name.includes('..'), 'expected a name without two dots in a row'),
  v.check((name) => !ipAddress.test(name), 'expected a name that is not an IP address'),
  v.check(
    (name) => !reservedStart.test(name) && !reservedEnd.test(name),
    'expected a name without a prefix or suffix that S3 reserves',
  ),
);

export const bucketOption = () =>
  checkedOption('--bucket <name>', "the tenant's bucket", bucketName, { example: 'example-bank-audit' });

const exampleKey = 'arn:aws:kms:eu-central-1:111122223333:key/11111111-2222-3333-4444-555555555555';

export const keyOption = () =>
  checkedOption(
    '--kms-key-arn <arn>',
    "the tenant's key, in the region of the bucket or stream",
    regionalArn(v.unwrap(fields.kmsKeyArn)),
    { expected: 'the ARN of a KMS key', example: exampleKey },
  );

export const bucketOwnerOption = (description: string) =>
  checkedOption('--bucket-owner <account>', description, v.unwrap(fields.bucketOwner), {
    expected: 'the 12 digits of an AWS account',
    example: '111122223333',
  });

type Options = TargetOptions & {
  bucket: string;
  kmsKeyArn: string;
  bucketOwner?: string;
  type?: string[];
  yes?: true;
};

export const setBucketCommand = defineCommand<Options>({
  name: 'bucket',
  description:
    'Exports a category to an S3 bucket of the tenant. Creates the delivery role by which Firehose writes into it. For some ' +
    'minutes after a change of the bucket, Firehose may still write into the earlier one: then run the same command again ' +
    'to revoke the permissions for it.',
  ids: [tenantId, categoryId],
  options: [
    bucketOption().makeOptionMandatory(),
    keyOption().makeOptionMandatory(),
    bucketOwnerOption('the account of the bucket (default: the account of the key)'),
    typeOption('only events of these types (default: all)'),
    yesOption(),
  ],
  examples: [
    `target set bucket ${exampleTenant} log --bucket example-bank-audit --kms-key-arn ${exampleKey}`,
  ],
  run: setBucket,
});

async function setBucket(session: Session, options: Options): Promise<void> {
  requireKnownTypes(options);
  const deployment = await session.deployment();
  const { tenantId: tenant } = await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const { bucket, type } = options;
  const owned = { bucket, kmsKeyArn: options.kmsKeyArn, ...ownerOf(options) };
  const role = await deliveryRoleFor(deployment, tenant);
  await role.ensure();
  await role.allow(ref.category, owned);
  session.note(`The delivery role: ${role.arn}`);
  // Not right after a change: Firehose must still write its buffer into the earlier bucket.
  if (await usesBucket(deployment, ref, bucket)) await role.revokeOthers(ref.category, bucket);
  await registerTarget(session, deployment, ref, {
    destination: v.parse(bucketDestination, {
      kind: 'bucket',
      ...owned,
      deliveryRoleArn: role.arn,
      deliveryStreamName: deliveryStreamNameOf(`${prefixOf(deployment)}-`, ref),
    }),
    types: type,
    yes: options.yes,
  });
}

/** Left out if it is the account of the key, so that the same bucket is always the same destination. */
const ownerOf = ({ bucketOwner, kmsKeyArn }: Options): { bucketOwner?: string } =>
  bucketOwner === undefined || bucketOwner === parseArn(kmsKeyArn).account ? {} : { bucketOwner };

/** True if the delivery stream of the target already writes into this bucket. */
async function usesBucket(deployment: Deployment, ref: TargetRef, bucket: string): Promise<boolean> {
  const target = await findBefore(deployment, ref);
  if (!target || target === 'malformed' || !isBucket(target.destination)) return false;
  return target.destination.bucket === bucket && target.provisionedAt !== undefined;
}
