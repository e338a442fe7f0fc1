import type { ServiceName } from '../../endpoint/fault-schema.ts';
import { REGION } from '../../identity.ts';
import type { Operation } from '../../protocols/service.ts';

/** IAM's name of an operation, and the ARN of its resource. */
export type Action = { action: string; resource: string | undefined };

/** The action of a call; undefined for services that tenants' roles do not use. */
export function actionOf(service: ServiceName, operation: Operation, account: string): Action | undefined {
  switch (service) {
    case 'kinesis':
      return { action: `kinesis:${operation.operation}`, resource: streamArn(operation, account) };
    case 'firehose':
      return { action: `firehose:${operation.operation}`, resource: deliveryStreamArn(operation, account) };
    case 's3':
      return { action: `s3:${s3Action(operation.operation)}`, resource: s3Arn(operation) };
    case 'kms':
      return { action: `kms:${operation.operation}`, resource: keyArn(operation, account) };
    case 'cloudwatch':
    case 'dynamodb':
    case 'secretsmanager':
    case 'sns':
    case 'sqs':
    case 'sts':
      return undefined;
  }
}

function streamArn({ input, resources: [name] }: Operation, account: string): string | undefined {
  const { StreamARN: arn } = input;
  if (typeof arn === 'string') return arn;
  return name === undefined ? undefined : `arn:aws:kinesis:${REGION}:${account}:stream/${name}`;
}

function deliveryStreamArn({ resources: [name] }: Operation, account: string): string | undefined {
  return name === undefined ? undefined : `arn:aws:firehose:${REGION}:${account}:deliverystream/${name}`;
}

/** Only of a key that is named by its id or ARN: the key of an alias is not known here. */
function keyArn({ resources: [key] }: Operation, account: string): string | undefined {
  if (key === undefined || key.startsWith('arn:')) return key;
  return `arn:aws:kms:${REGION}:${account}:key/${key}`;
}

function s3Arn({ resources: [bucketAndKey] }: Operation): string | undefined {
  return bucketAndKey === undefined ? undefined : `arn:aws:s3:::${bucketAndKey}`;
}

/** Permissions that are not named like their operation, by "Actions, resources, and condition keys for Amazon S3". */
const S3_ACTIONS: Readonly<Record<string, string>> = {
  ListBuckets: 'ListAllMyBuckets',
  HeadBucket: 'ListBucket',
  ListObjects: 'ListBucket',
  ListObjectsV2: 'ListBucket',
  ListMultipartUploads: 'ListBucketMultipartUploads',
  HeadObject: 'GetObject',
  DeleteObjects: 'DeleteObject',
  CreateMultipartUpload: 'PutObject',
  UploadPart: 'PutObject',
  CompleteMultipartUpload: 'PutObject',
  ListParts: 'ListMultipartUploadParts',
};

const s3Action = (operation: string): string => S3_ACTIONS[operation] ?? operation;
