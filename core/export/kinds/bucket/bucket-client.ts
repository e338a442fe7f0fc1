import {
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  type ListObjectsV2CommandInput,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, type STSClient } from '@aws-sdk/client-sts';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { AwsCredentialIdentity } from '@smithy/types';
import type { BucketDestination } from './record.ts';
import { parseArn } from '../policies/arn.ts';
import { bucketOwnerOf, deliveryPolicy } from '../policies/operator-roles.ts';
import { CheckFailed, notNow, verificationFault } from '../checks.ts';
import { explainBucketError, isMissingObject } from './bucket-errors.ts';
import { CredentialsUnavailable, roleFault } from '../role/role-faults.ts';

const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  requestTimeout: 5_000,
  throwOnRequestTimeout: true,
});

/** Seconds: the shortest session that STS gives. */
const shortestSessionSeconds = 900;

/** Bytes: the owner may have replaced what the service wrote by anything. */
const longestTextBytes = 256;

export type ListedObject = {
  key: string;
  bytes: number;
  /** In milliseconds since 1970. */
  writtenAt: number;
};

/** Reaches tenants' buckets as Firehose does: with the operator's delivery role for the tenant. */
export class BucketClient {
  readonly #sts: STSClient;

  constructor(sts: STSClient) {
    this.#sts = sts;
  }

  /** @throws {CheckFailed} where the delivery role cannot be assumed */
  async open(destination: BucketDestination): Promise<OpenBucket> {
    const credentials = await this.#assume(destination);
    const { bucket, kmsKeyArn } = destination;
    const client = new S3Client({
      ...(kmsKeyArn !== undefined && { region: parseArn(kmsKeyArn).region }),
      // No certificate covers a host name made of a bucket's name with dots. For other names the SDK chooses.
      forcePathStyle: bucket.includes('.'),
      // To learn the region of a bucket that is in another one.
      followRegionRedirects: true,
      maxAttempts: 1,
      requestHandler,
      credentials,
    });
    return new OpenBucket(client, destination);
  }

  /** For this bucket and its key only, whatever else the role may do. */
  async #assume({ deliveryRoleArn, ...target }: BucketDestination): Promise<AwsCredentialIdentity> {
    const policy = deliveryPolicy({ ...target, partition: parseArn(deliveryRoleArn).partition });
    const command = new AssumeRoleCommand({
      RoleArn: deliveryRoleArn,
      RoleSessionName: 'omi-verification',
      DurationSeconds: shortestSessionSeconds,
      Policy: JSON.stringify(policy),
    });
    try {
      const { Credentials: { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = {} } =
        await this.#sts.send(command);
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
    } catch (error) {
      const fault = roleFault(new CredentialsUnavailable('not assumed', { cause: error }));
      const message = error instanceof Error ? error.message : '';
      throw new CheckFailed(
        fault.code === 'AccessDenied' ? verificationFault('DeliveryRoleNotUsable', message) : fault,
        { cause: error },
      );
    }
  }
}

/** A tenant's bucket for as long as a test takes. All methods throw {@link CheckFailed}. */
export class OpenBucket {
  readonly #client: S3Client;
  readonly #destination: BucketDestination;
  /** S3 refuses a call if the bucket belongs to another account, whatever the role may do. */
  readonly #place: { Bucket: string; ExpectedBucketOwner?: string };

  constructor(client: S3Client, destination: BucketDestination) {
    this.#client = client;
    this.#destination = destination;
    const owner = bucketOwnerOf(destination);
    this.#place = { Bucket: destination.bucket, ...(owner !== undefined && { ExpectedBucketOwner: owner }) };
  }

  /** The region of the bucket. It fails if there is no bucket. */
  async region(): Promise<string> {
    const command = new HeadBucketCommand(this.#place);
    const { BucketRegion } = await this.#explained(
      'BucketClosed',
      async () => await this.#client.send(command),
    );
    if (BucketRegion === undefined) throw new CheckFailed(notNow('NoAnswer'));
    return BucketRegion;
  }

  /** As Firehose writes: encrypted with the tenant's key, and with full control for the bucket's owner. */
  async write(key: string, text: string): Promise<void> {
    const { kmsKeyArn } = this.#destination;
    const command = new PutObjectCommand({
      ...this.#place,
      Key: key,
      Body: `${text}\n`,
      ContentType: 'text/plain; charset=utf-8',
      ACL: 'bucket-owner-full-control',
      ...(kmsKeyArn !== undefined && { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: kmsKeyArn }),
    });
    await this.#explained('BucketNotWritable', async () => await this.#client.send(command));
  }

  /** The text that was written, if it is there, or the beginning of a longer one. */
  async read(key: string, longest = longestTextBytes): Promise<string | undefined> {
    const command = new GetObjectCommand({
      ...this.#place,
      Key: key,
      Range: `bytes=0-${longest - 1}`,
    });
    try {
      return await this.#explained('BucketNotWritable', async () => {
        const { Body } = await this.#client.send(command);
        return (await Body?.transformToString())?.trim();
      });
    } catch (error) {
      if (error instanceof CheckFailed && isMissingObject(error.cause)) return undefined;
      throw error;
    }
  }

  /** The folders in a folder, at most a page of S3. */
  async folders(folder: string): Promise<string[]> {
    const { CommonPrefixes = [] } = await this.#list({ Prefix: folder, Delimiter: '/' });
    return CommonPrefixes.flatMap(({ Prefix }) => Prefix ?? []);
  }

  /** The objects in a folder and its folders behind this key, in the order of their keys, at most a page of S3. */
  async objects(folder: string, after: string): Promise<{ objects: ListedObject[]; hasMore: boolean }> {
    const { Contents = [], IsTruncated: hasMore = false } = await this.#list({
      Prefix: folder,
      StartAfter: after,
    });
    const objects = Contents.map(({ Key = '', Size = 0, LastModified }) => ({
      key: Key,
      bytes: Size,
      writtenAt: LastModified?.getTime() ?? 0,
    }));
    return { objects, hasMore };
  }

  async #list(options: Pick<ListObjectsV2CommandInput, 'Prefix' | 'Delimiter' | 'StartAfter'>) {
    const command = new ListObjectsV2Command({ ...this.#place, ...options });
    return await this.#explained('BucketClosed', async () => await this.#client.send(command));
  }

  async #explained<T>(refused: 'BucketClosed' | 'BucketNotWritable', call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const owner = this.#place.ExpectedBucketOwner;
      throw new CheckFailed(explainBucketError(error, refused, owner), { cause: error });
    }
  }
}
