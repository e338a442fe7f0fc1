/** The policies of one tenant's target, made from what was agreed, all of it checked. */
import * as v from 'valibot';
import { bucketDestination } from '../bucket/record.ts';
import { streamDestination } from '../stream/record.ts';
import { accountRootOf, type ArnParts, bucketArnOf, parseArn } from './arn.ts';
import { bucketKeyGrant, bucketPolicy } from '../bucket/bucket-policies.ts';
import { keyAdministration } from './key-policies.ts';
import { policy, type PolicyDocument } from './policy-document.ts';
import { streamKeyGrant, streamKeyUse, streamTrustPolicy, streamWriting } from '../stream/stream-policies.ts';

const { entries: stream } = streamDestination;
const { entries: bucket } = bucketDestination;

const kmsKeyArn = v.unwrap(bucket.kmsKeyArn);

const accountOf = (arn: string): string => parseArn(arn).account;

const oneKey = 'expected either a key or a new key';

function isOneKey({ kmsKeyArn: key, newKey }: { kmsKeyArn?: string | undefined; newKey?: unknown }): boolean {
  return key === undefined || newKey === undefined;
}

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
    /** The key does not exist yet. It will be in the account and region of the stream. */
    newKey: v.optional(v.literal(true)),
  }),
  v.check((of) => isOneKey(of), oneKey),
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

const bucketTarget = v.pipe(
  v.strictObject({
    kind: v.literal('bucket'),
    bucket: bucket.bucket,
    /** In the bucket's region. */
    kmsKeyArn: v.optional(kmsKeyArn),
    /** Where the key will be that does not exist yet. */
    newKey: v.optional(
      v.strictObject({
        account: v.pipe(v.string(), v.regex(/^\d{12}$/, 'expected the 12 digits of an AWS account')),
        region: v.pipe(v.string(), v.regex(/^[a-z]{2,4}(?:-[a-z]+){1,2}-\d{1,2}$/, 'expected an AWS region')),
      }),
    ),
    deliveryRoleArn: bucket.deliveryRoleArn,
  }),
  v.check((of) => isOneKey(of), oneKey),
  v.check(({ kmsKeyArn: key, newKey }) => (key ?? newKey) !== undefined, 'expected a key of the tenant'),
);

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

/** The whole policy of a key: it replaces the one that the key has. Without an ARN, the key does not exist yet. */
export type KeyPolicy = { keyArn?: string; document: PolicyDocument };

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
  // A role can use a key of its own account by the key's policy alone, so a new key needs no ARN here.
  const keyUse = of.kmsKeyArn ? [streamKeyUse({ keyArn: of.kmsKeyArn, streamArn, region })] : [];
  const key = of.newKey ? { partition, account } : of.kmsKeyArn;
  return {
    kind: 'stream',
    roleName,
    trustPolicy: streamTrustPolicy({
      operatorRoot: rootOf(operatorRoleArns[0] ?? ''),
      operatorRoleArns,
      externalId,
    }),
    permissionPolicy: policy(streamWriting(streamArn), ...keyUse),
    ...(key && { keyPolicy: keyPolicy(key, streamKeyGrant({ roleArn, streamArn, region })) }),
  };
}

function bucketDocuments(of: v.InferOutput<typeof bucketTarget>): BucketDocuments {
  const { deliveryRoleArn, kmsKeyArn: key = '', newKey } = of;
  const { region, partition, account } = newKey
    ? { ...newKey, partition: parseArn(deliveryRoleArn).partition }
    : parseArn(key);
  const bucketArn = bucketArnOf(partition, of.bucket);
  const delivery = { bucketArn, deliveryRoleArn, operatorRoot: rootOf(deliveryRoleArn) };
  return {
    kind: 'bucket',
    bucket: of.bucket,
    bucketPolicy: bucketPolicy(delivery),
    keyPolicy: keyPolicy(newKey ? { partition, account } : key, bucketKeyGrant({ ...delivery, region })),
  };
}

const rootOf = (arn: string): string => accountRootOf(parseArn(arn));

/** @param key its ARN, or where it will be */
const keyPolicy = (
  key: string | Pick<ArnParts, 'partition' | 'account'>,
  grant: PolicyDocument['Statement'][number],
): KeyPolicy =>
  typeof key === 'string'
    ? { keyArn: key, document: policy(keyAdministration(rootOf(key)), grant) }
    : { document: policy(keyAdministration(accountRootOf(key)), grant) };
