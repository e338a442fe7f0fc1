import type { AwsResponse, Backend } from '../../../endpoint/http.ts';
import { REGION } from '../../../identity.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { s3 } from '../../../protocols/s3.ts';

/** What the emulator has no idea of: it would take the call for one to the bucket or the object itself. */
const UNKNOWN = /^(Get|Put|Delete)(Bucket|Object)(Policy|Encryption|Versioning|Acl|Tagging)$/;

/** Answers where a bucket is, and refuses what the emulator would misunderstand. */
export function withSubresources(backend: Backend): Backend {
  return async (request) => {
    const { operation, resources } = s3.describe(request);
    if (UNKNOWN.test(operation))
      throw new AwsServiceError(501, 'NotImplemented', `${operation} is not supported here.`);
    if (operation === 'HeadBucket') return withRegion(await backend(request));
    if (operation !== 'GetBucketLocation') return await backend(request);
    const bucket = await backend({ ...request, method: 'HEAD', url: `/${String(resources[0])}` });
    if (bucket.status !== 200)
      throw new AwsServiceError(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const body = `<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${REGION}</LocationConstraint>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  };
}

/** S3 tells everybody where a bucket is who asks for its head. */
const withRegion = (answer: AwsResponse): AwsResponse =>
  answer.status === 200
    ? { ...answer, headers: { ...answer.headers, 'x-amz-bucket-region': REGION } }
    : answer;
