import { accessKeyOf } from '../../../endpoint/caller.ts';
import type { Backend } from '../../../endpoint/http.ts';
import { accountId } from '../../../identity.ts';
import { openJsonFile } from '../../../json-file.ts';
import { AwsServiceError } from '../../../protocols/errors.ts';
import { s3 } from '../../../protocols/s3.ts';
import type { Sessions } from '../../../stand-ins/sts/sessions.ts';

export type BucketAccounts = {
  backend: Backend;
  /** Undefined for a bucket that was made with an access key that is no account number: any account may use it. */
  ownerOf: (bucket: string) => string | undefined;
  flush: () => Promise<void>;
};

/**
 * Buckets of several accounts. A bucket belongs to its creator until it is deleted; then any account may take its name, as
 * in AWS. A call that names another expected owner fails
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html).
 *
 * Remove when fauxqs has accounts: by access key, with bucket owners and `x-amz-expected-bucket-owner`.
 */
export function withBucketAccounts(
  backend: Backend,
  sessions: Pick<Sessions, 'identify'>,
  stateFile?: string,
): BucketAccounts {
  const owners = new Map<string, string>();
  const file = openJsonFile<[string, string][]>(stateFile, () => [...owners]);
  for (const [bucket, account] of file.saved ?? []) owners.set(bucket, account);
  return {
    ownerOf: (bucket) => owners.get(bucket),
    flush: () => file.flush(),
    backend: async (request) => {
      const { operation, resources } = s3.describe(request);
      const [bucket = ''] = (resources[0] ?? '').split('/');
      const { account } = sessions.identify(accessKeyOf(request));
      const owner = owners.get(bucket);
      if (operation === 'CreateBucket' && owner !== undefined && owner !== account)
        throw new AwsServiceError(409, 'BucketAlreadyExists', 'The requested bucket name is not available.');
      const expected = request.headers['x-amz-expected-bucket-owner'] ?? owner;
      if (owner !== undefined && expected !== owner)
        throw new AwsServiceError(403, 'AccessDenied', 'Access Denied');
      const response = await backend(request);
      if (response.status >= 300) return response;
      if (operation === 'CreateBucket' && account !== accountId) owners.set(bucket, account);
      if (operation === 'DeleteBucket') owners.delete(bucket);
      if (operation === 'CreateBucket' || operation === 'DeleteBucket') file.changed();
      return response;
    },
  };
}
