/**
 * The operator's roles that tenants name in their policies. Names and ARNs follow from stage, region and tenant alone, so that
 * a role that is made anew is the same to every tenant.
 */
import * as v from 'valibot';
import { type BucketDestination, bucketDestination } from '../bucket/record.ts';
import { accountRootOf, bucketArnOf, parseArn } from './arn.ts';
import { bucketKeyUse, bucketWriting } from '../bucket/bucket-policies.ts';
import { byRoleName, policy, type PolicyDocument } from './policy-document.ts';

/** Tests trust, so it is let in wherever events go. */
const verifier = 'verify-target';

/** The Lambdas that assume tenants' roles; `lib` names their roles the same. */
const exporters = ['export-events', 'redeliver-events', verifier] as const;

/** IAM's names have at most 64 characters; what stands around the stage takes 50. */
const stage = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,13}$/, 'expected the name of a stage'));
const account = v.pipe(v.string(), v.regex(/^\d{12}$/, 'expected 12 digits'));
const partition = v.pipe(v.string(), v.regex(/^aws(-[a-z]+)*$/, 'expected a partition like aws'));

const region = v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'expected a region like eu-central-1'));

const operator = v.object({ stage, region, account, partition: v.optional(partition, 'aws') });

export type Operator = v.InferInput<typeof operator>;

const roleArn = (of: { partition: string; account: string }, pathAndName: string): string =>
  `arn:${of.partition}:iam::${of.account}:role${pathAndName}`;

/** IAM's names are the same in every region of an account, so they carry the region. */
export const lambdaRoleNameOf = (of: { stage: string; region: string }, name: string): string =>
  `omi-${of.stage}-${of.region}-${name}`;

const lambdaRoleArnOf = (of: v.InferOutput<typeof operator>, name: string): string =>
  roleArn(of, `/${lambdaRoleNameOf(of, name)}`);

/** Whom a tenant's role trusts. */
export function exporterRoleArnsOf(of: Operator): string[] {
  const checked = v.parse(operator, of);
  return exporters.map((name) => lambdaRoleArnOf(checked, name));
}

/** The one that writes into a bucket itself, to see whether Firehose could. */
export const verifierRoleArnOf = (of: Operator): string => lambdaRoleArnOf(v.parse(operator, of), verifier);

/** All delivery roles of a stage have this path: who may pass them to Firehose may pass no other. */
export const deliveryRolePathOf = (name: string): string => `/omi/${v.parse(stage, name)}/delivery/`;

/** Begins the names of all that `omi smoke` makes, with the role for its stream. */
export const smokePrefixOf = (name: string): string => `omi-${v.parse(stage, name)}-smoke-`;

/** The policy that limits them all; the stack makes it. */
export const deliveryBoundaryNameOf = (of: { stage: string; region: string }): string =>
  `omi-${v.parse(stage, of.stage)}-${of.region}-delivery-boundary`;

/** The role by which Firehose writes into one tenant's buckets. */
export type DeliveryRole = { path: string; name: string; arn: string };

export function deliveryRoleOf(of: Operator, tenantId: string): DeliveryRole {
  const checked = v.parse(operator, of);
  const tenant = v.parse(v.pipe(v.string(), v.uuid()), tenantId).toLowerCase();
  const path = deliveryRolePathOf(checked.stage);
  const name = `omi-${checked.stage}-delivery-${tenant}`;
  return { path, name, arn: roleArn(checked, `${path}${name}`) };
}

export const deliveryRoleArnOf = (of: Operator, tenantId: string): string => deliveryRoleOf(of, tenantId).arn;

/** What the role may do for all targets of its tenant: have Firehose log that it could not write. */
export function errorLogPolicy(of: Operator): PolicyDocument {
  const { stage: name, account: owner, partition: part } = v.parse(operator, of);
  const group = `/aws/kinesisfirehose/omi-${name}`;
  return policy({
    Sid: 'LogErrors',
    Effect: 'Allow',
    Action: 'logs:PutLogEvents',
    Resource: `arn:${part}:logs:*:${owner}:log-group:${group}:log-stream:*`,
  });
}

/** Firehose presents the account that owns the stream ("Allow Firehose to assume an IAM role" in its guide). */
export function deliveryTrustPolicy(of: Operator): PolicyDocument {
  const checked = v.parse(operator, of);
  return policy(
    {
      Sid: 'AssumedByFirehose',
      Effect: 'Allow',
      Principal: { Service: 'firehose.amazonaws.com' },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': checked.account } },
    },
    {
      Sid: 'AssumedByTheVerifier',
      Effect: 'Allow',
      ...byRoleName(accountRootOf(checked), verifierRoleArnOf(checked)),
      Action: 'sts:AssumeRole',
    },
  );
}

const deliveryTarget = v.object({
  ...v.pick(bucketDestination, ['bucket', 'kmsKeyArn', 'bucketOwner']).entries,
  partition: v.optional(partition, 'aws'),
});

export type DeliveryTarget = Pick<BucketDestination, 'bucket' | 'kmsKeyArn' | 'bucketOwner'> & {
  partition?: string;
};

/**
 * The account that the bucket must be in: another that takes its name after a deletion gets nothing. Nobody's where the
 * record has neither that account nor a key, as no command registers it.
 */
export const bucketOwnerOf = ({
  bucketOwner,
  kmsKeyArn,
}: Pick<DeliveryTarget, 'bucketOwner' | 'kmsKeyArn'>): string | undefined =>
  bucketOwner ?? (kmsKeyArn === undefined ? undefined : parseArn(kmsKeyArn).account);

/** What the delivery role may do for one target: this bucket and its key. */
export function deliveryPolicy(target: DeliveryTarget): PolicyDocument {
  const { bucket, kmsKeyArn, ...checked } = v.parse(deliveryTarget, target);
  const bucketArn = bucketArnOf(checked.partition, bucket);
  const owner = bucketOwnerOf({ kmsKeyArn, ...checked });
  const owned = owner && { Condition: { StringEquals: { 'aws:ResourceAccount': owner } } };
  const writing = bucketWriting(bucketArn).map((statement) => ({ ...statement, ...owned }));
  if (!kmsKeyArn) return policy(...writing);
  const { region } = parseArn(kmsKeyArn);
  return policy(...writing, bucketKeyUse({ keyArn: kmsKeyArn, bucketArn, region }));
}
