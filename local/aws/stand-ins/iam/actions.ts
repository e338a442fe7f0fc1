import type { ServiceName } from '../../endpoint/fault-schema.ts';
import { REGION } from '../../identity.ts';
import type { Operation } from '../../protocols/service.ts';

/** What IAM calls an operation and what it is done to. */
export type Action = { action: string; resource: string | undefined };

/** For the services that tenants' roles are about. */
export function actionOf(service: ServiceName, operation: Operation, account: string): Action | undefined {
  switch (service) {
    case 'kinesis':
      return { action: `kinesis:${operation.operation}`, resource: streamArn(operation, account) };
    case 'firehose':
      return { action: `firehose:${operation.operation}`, resource: deliveryStreamArn(operation, account) };
    case 's3':
      return { action: `s3:${s3Action(operation.operation)}`, resource: s3Arn(operation) };
    case 'dynamodb':
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

function s3Arn({ resources: [bucketAndKey] }: Operation): string | undefined {
  return bucketAndKey === undefined ? undefined : `arn:aws:s3:::${bucketAndKey}`;
}

/** "Actions, resources, and condition keys for Amazon S3": where the permission is not named like the operation. */
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
