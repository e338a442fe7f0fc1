/** The policies of one tenant's target, made from what was agreed, all of it checked. */
import * as v from 'valibot';
import { destination } from '../../targets/target.ts';
import { accountRootOf, bucketArnOf, parseArn } from './arn.ts';
import { bucketKeyGrant, bucketPolicy } from './bucket-policies.ts';
import { keyAdministration } from './key-policies.ts';
import { policy, type PolicyDocument } from './policy-document.ts';
import { streamKeyGrant, streamKeyUse, streamTrustPolicy, streamWriting } from './stream-policies.ts';

const [{ entries: stream }, { entries: bucket }] = destination.options;

const kmsKeyArn = v.unwrap(bucket.kmsKeyArn);

const accountOf = (arn: string): string => parseArn(arn).account;

const streamTarget = v.pipe(
  v.strictObject({
    kind: v.literal('stream'),
    streamArn: stream.streamArn,
    /** The tenant's role, which is yet to be made. */
    roleName: v.optional(
      v.pipe(v.string(), v.regex(/^[\w+=,.@-]{1,64}$/, 'expected the name of a role')),
      'omi-event-export',
    ),
    externalId: stream.externalId,
    operatorRoleArns: v.pipe(v.array(stream.roleArn), v.minLength(1)),
    /** Of a key of the tenant's own; without it AWS's key encrypts the records. */
    kmsKeyArn: v.optional(kmsKeyArn),
  }),
  v.check(
    ({ operatorRoleArns }) => new Set(operatorRoleArns.map(accountOf)).size === 1,
    'expected the roles of one account',
  ),
  v.check(
    ({ streamArn, kmsKeyArn: key }) =>
      key === undefined || parseArn(key).region === parseArn(streamArn).region,
    'expected a key in the region of the stream',
  ),
);

const bucketTarget = v.strictObject({
  kind: v.literal('bucket'),
  bucket: bucket.bucket,
  /** In the bucket's region. */
  kmsKeyArn,
  deliveryRoleArn: bucket.deliveryRoleArn,
});

const target = v.variant('kind', [streamTarget, bucketTarget]);

/** What operator and tenant agreed on. */
export type TenantTarget = v.InferInput<typeof target>;

export type StreamDocuments = {
  kind: 'stream';
  roleName: string;
  /** Whom the tenant's role trusts. */
  trustPolicy: PolicyDocument;
  /** What the role may do. */
  permissionPolicy: PolicyDocument;
  keyPolicy?: KeyPolicy;
};

export type BucketDocuments = {
  kind: 'bucket';
  bucket: string;
  bucketPolicy: PolicyDocument;
  keyPolicy: KeyPolicy;
};

/** The whole policy of the key, which replaces the one that it has. */
export type KeyPolicy = { keyArn: string; document: PolicyDocument };

export type TenantDocuments = StreamDocuments | BucketDocuments;

/** @throws {v.ValiError} for anything that could mean more in a policy than it says */
export function tenantDocuments(input: TenantTarget): TenantDocuments {
  const checked = v.parse(target, input);
  return checked.kind === 'stream' ? streamDocuments(checked) : bucketDocuments(checked);
}

function streamDocuments(of: v.InferOutput<typeof streamTarget>): StreamDocuments {
  const { roleName, streamArn, externalId, operatorRoleArns } = of;
  const { region, partition, account } = parseArn(streamArn);
  const roleArn = `arn:${partition}:iam::${account}:role/${roleName}`;
  const keyUse = of.kmsKeyArn ? [streamKeyUse({ keyArn: of.kmsKeyArn, streamArn, region })] : [];
  return {
    kind: 'stream',
    roleName,
    trustPolicy: streamTrustPolicy({
      operatorRoot: rootOf(operatorRoleArns[0] ?? ''),
      operatorRoleArns,
      externalId,
    }),
    permissionPolicy: policy(streamWriting(streamArn), ...keyUse),
    ...(of.kmsKeyArn && {
      keyPolicy: keyPolicy(of.kmsKeyArn, streamKeyGrant({ roleArn, streamArn, region })),
    }),
  };
}

function bucketDocuments(of: v.InferOutput<typeof bucketTarget>): BucketDocuments {
  const { deliveryRoleArn } = of;
  const { region, partition } = parseArn(of.kmsKeyArn);
  const bucketArn = bucketArnOf(partition, of.bucket);
  const delivery = { bucketArn, deliveryRoleArn, operatorRoot: rootOf(deliveryRoleArn) };
  return {
    kind: 'bucket',
    bucket: of.bucket,
    bucketPolicy: bucketPolicy(delivery),
    keyPolicy: keyPolicy(of.kmsKeyArn, bucketKeyGrant({ ...delivery, region })),
  };
}

const rootOf = (arn: string): string => accountRootOf(parseArn(arn));

const keyPolicy = (keyArn: string, grant: PolicyDocument['Statement'][number]): KeyPolicy => ({
  keyArn,
  document: policy(keyAdministration(rootOf(keyArn)), grant),
});
