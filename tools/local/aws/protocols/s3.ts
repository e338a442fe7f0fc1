import type { AwsRequest } from '../endpoint/http.ts';
import { restError } from './errors.ts';
import type { Errors, Operation, Service } from './service.ts';

export const s3: Service = {
  name: 's3',
  describe: (request) => {
    const { bucket, key, query } = locate(request);
    const operation = operationName(request.method, { bucket, key, query });
    const resource = key === '' ? bucket : `${bucket}/${key}`;
    return { operation, input: {}, resources: resource === '' ? [] : [resource] };
  },
  errors: () => faultErrors,
  render: restError,
  actionOf: (called) => ({ action: `s3:${s3Action(called.operation)}`, resource: s3Arn(called) }),
};

type Location = { bucket: string; key: string; query: URLSearchParams };

/** Path style, or virtual-hosted style: `<bucket>.localhost`. */
function locate({ url, headers }: AwsRequest): Location {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  const ofHost = /^(.+?)(?:\.s3)?\.localhost(?::|$)/.exec(headers.host ?? '')?.[1];
  const path = decodePath(pathname.slice(1));
  if (ofHost !== undefined) return { bucket: ofHost, key: path, query };
  const [bucket = '', ...key] = path.split('/');
  return { bucket, key: key.join('/'), query };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Subresources in the query, with their part of the operation's name. */
const subresources: Record<string, string> = {
  lifecycle: 'BucketLifecycleConfiguration',
  location: 'BucketLocation',
  policy: 'BucketPolicy',
  encryption: 'BucketEncryption',
  versioning: 'BucketVersioning',
  acl: 'BucketAcl',
  tagging: 'BucketTagging',
  attributes: 'ObjectAttributes',
};

const verbs: Record<string, string> = {
  GET: 'Get',
  PUT: 'Put',
  DELETE: 'Delete',
  HEAD: 'Head',
  POST: 'Post',
};

function operationName(method: string, { bucket, key, query }: Location): string {
  if (bucket === '') return 'ListBuckets';
  const verb = verbs[method] ?? method;
  const subresource = [...query.keys()].map((name) => subresources[name]).find((name) => name !== undefined);
  if (subresource !== undefined)
    return verb + (key === '' ? subresource : subresource.replace('Bucket', 'Object'));
  return key === '' ? bucketOperation(method, query) : objectOperation(method, query);
}

function bucketOperation(method: string, query: URLSearchParams): string {
  if (query.has('uploads')) return 'ListMultipartUploads';
  if (method === 'GET') return query.get('list-type') === '2' ? 'ListObjectsV2' : 'ListObjects';
  if (method === 'PUT') return 'CreateBucket';
  return method === 'POST' ? 'DeleteObjects' : `${verbs[method] ?? method}Bucket`;
}

function objectOperation(method: string, query: URLSearchParams): string {
  if (query.has('uploads')) return 'CreateMultipartUpload';
  if (!query.has('uploadId')) return `${verbs[method] ?? method}Object`;
  const ofUpload: Record<string, string> = {
    PUT: 'UploadPart',
    POST: 'CompleteMultipartUpload',
    GET: 'ListParts',
  };
  return ofUpload[method] ?? 'AbortMultipartUpload';
}

const faultErrors: Errors = {
  throttle: { status: 503, code: 'SlowDown', message: 'Please reduce your request rate.' },
  'access-denied': { status: 403, code: 'AccessDenied', message: 'Access Denied' },
  'not-found': { status: 404, code: 'NoSuchBucket', message: 'The specified bucket does not exist' },
  unavailable: { status: 503, code: 'ServiceUnavailable', message: 'Service is unable to handle request.' },
  'expired-token': { status: 400, code: 'ExpiredToken', message: 'The provided token has expired.' },
};

function s3Arn({ resources: [bucketAndKey] }: Operation): string | undefined {
  return bucketAndKey === undefined ? undefined : `arn:aws:s3:::${bucketAndKey}`;
}

/** Permissions that are not named like their operation, by "Actions, resources, and condition keys for Amazon S3". */
const s3Actions: Readonly<Record<string, string>> = {
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

const s3Action = (operation: string): string => s3Actions[operation] ?? operation;
