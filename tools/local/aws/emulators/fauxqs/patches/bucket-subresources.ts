import type { AwsResponse, Backend } from '../../../endpoint/http.ts';
import { region } from '../../../identity.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { s3 } from '../../../protocols/s3.ts';

/** The emulator ignores these subresources: it would delete the bucket when asked to delete its policy. */
const unknown = /^(Get|Put|Delete)(Bucket|Object)(Policy|Encryption|Versioning|Acl|Tagging)$/;

/**
 * Returns the region of a bucket, and refuses calls that the emulator would misunderstand.
 *
 * Remove when fauxqs returns a bucket's region and answers 501 to subresources that it does not support.
 */
export function withSubresources(backend: Backend): Backend {
  return async (request) => {
    const { operation, resources } = s3.describe(request);
    if (unknown.test(operation))
      throw new AwsServiceError(501, 'NotImplemented', `${operation} is not supported here.`);
    if (operation === 'HeadBucket') return withRegion(await backend(request));
    if (operation !== 'GetBucketLocation') return await backend(request);
    const bucket = await backend({ ...request, method: 'HEAD', url: `/${String(resources[0])}` });
    if (bucket.status !== 200)
      throw new AwsServiceError(404, 'NoSuchBucket', 'The specified bucket does not exist');
    const body = `<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${region}</LocationConstraint>`;
    return { status: 200, headers: { 'content-type': 'application/xml' }, body };
  };
}

const withRegion = (response: AwsResponse): AwsResponse =>
  response.status === 200
    ? { ...response, headers: { ...response.headers, 'x-amz-bucket-region': region } }
    : response;
