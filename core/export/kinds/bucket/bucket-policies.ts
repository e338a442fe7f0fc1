/**
 * What makes a bucket a target (interface, "Object-storage target"). Nothing here reads its arguments, so they may be
 * placeholders that a CloudFormation template fills in.
 */
import { usedByBucket } from '../policies/key-policies.ts';
import { byRoleName, policy, type PolicyDocument, type Statement } from '../policies/policy-document.ts';

/** "Cross-account delivery to an Amazon S3 destination" in Firehose's guide. */
const bucketActions = ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'];
const objectActions = ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject', 's3:PutObjectAcl'];

/** S3 has a data key made for an object, and opened again for the further parts of a large one. */
const keyActions = ['kms:GenerateDataKey', 'kms:Decrypt'];

/** All that a delivery role can ever be let do: the boundary of each. */
export const deliveryActions = [...bucketActions, ...objectActions, ...keyActions, 'logs:PutLogEvents'];

/** What Firehose does in the bucket. The pattern stands for the bucket's objects, whatever their keys. */
export const bucketWriting = (bucketArn: string): [bucket: Statement, objects: Statement] => [
  { Sid: 'FindTheBucket', Effect: 'Allow', Action: bucketActions, Resource: bucketArn },
  { Sid: 'WriteObjects', Effect: 'Allow', Action: objectActions, Resource: `${bucketArn}/*` },
];

export type BucketKey = { keyArn: string; bucketArn: string; region: string };

export const bucketKeyUse = ({ keyArn, bucketArn, region }: BucketKey): Statement => ({
  Sid: 'EncryptObjects',
  Effect: 'Allow',
  Action: keyActions,
  Resource: keyArn,
  Condition: usedByBucket(bucketArn, region),
});

export type Delivery = {
  bucketArn: string;
  /** The operator's account as a principal. */
  operatorRoot: string;
  /** The operator's role for this tenant. */
  deliveryRoleArn: string;
};

/** For the key's policy, where the resource `*` is the key itself. */
export function bucketKeyGrant({
  bucketArn,
  operatorRoot,
  deliveryRoleArn,
  region,
}: Delivery & { region: string }): Statement {
  const use = bucketKeyUse({ keyArn: '*', bucketArn, region });
  return withDelivery(use, { operatorRoot, deliveryRoleArn });
}

export function bucketPolicy({ bucketArn, ...role }: Delivery): PolicyDocument {
  const writing = bucketWriting(bucketArn).map((statement) => withDelivery(statement, role));
  return policy(...writing, encryptedTransport(bucketArn));
}

/** The one refusal: everybody, everything and every object, wherever a request comes without TLS. */
const encryptedTransport = (bucketArn: string): Statement => ({
  Sid: 'RefusePlainHttp',
  Effect: 'Deny',
  Principal: '*',
  Action: 's3:*',
  Resource: [bucketArn, `${bucketArn}/*`],
  Condition: { Bool: { 'aws:SecureTransport': 'false' } },
});

/** Narrows a statement of a resource's policy to the delivery role. */
function withDelivery(
  { Sid, Effect, Condition = {}, ...rest }: Statement,
  { operatorRoot, deliveryRoleArn }: Omit<Delivery, 'bucketArn'>,
): Statement {
  const role = byRoleName(operatorRoot, deliveryRoleArn);
  const StringEquals = { ...Condition['StringEquals'], ...role.Condition.StringEquals };
  return { Sid, Effect, Principal: role.Principal, ...rest, Condition: { ...Condition, StringEquals } };
}
