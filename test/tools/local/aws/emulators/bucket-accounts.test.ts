/** Whose a bucket is, who may be told so, and what Firehose writes into one of another account. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import {
  CreateDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
  PutRecordCommand,
} from '@aws-sdk/client-firehose';
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deliveryPolicy } from '../../../../../core/export/kinds/policies/operator-roles.ts';
import { startLocalCloud, type LocalCloud } from '../../../../../tools/local/aws/cloud.ts';
import { sharedEmulators } from '../../../../support/run-services.ts';
import { clientOf } from '../clients.ts';

const account = '111122223333';
const stranger = '444455556666';

let cloud: LocalCloud;
const lines: string[] = [];

beforeAll(async () => {
  cloud = await startLocalCloud({
    ...(await sharedEmulators()),
    log: (line) => void lines.push(line),
  });
});
afterAll(async () => await cloud.close());

const s3 = (as: string): S3Client =>
  new S3Client({ ...clientOf(cloud.endpoints.s3, as), forcePathStyle: true });

async function newBucket(as: string, Bucket = `bucket-${randomUUID()}`): Promise<string> {
  await s3(as).send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

const isOf = async (Bucket: string, ExpectedBucketOwner: string): Promise<boolean> => {
  try {
    await s3('ANYBODY').send(new HeadBucketCommand({ Bucket, ExpectedBucketOwner }));
    return true;
  } catch (error) {
    expect((error as { $metadata: { httpStatusCode: number } }).$metadata.httpStatusCode).toBe(403);
    return false;
  }
};

const objectsIn = async (Bucket: string): Promise<number> =>
  (await s3('ANYBODY').send(new ListObjectsV2Command({ Bucket }))).KeyCount ?? 0;

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await setTimeout(20);
};

describe('a bucket', () => {
  test('belongs to the account that created it', async () => {
    const bucket = await newBucket(account);
    expect([await isOf(bucket, account), await isOf(bucket, stranger)]).toEqual([true, false]);
  });

  test('cannot be created by another account if its name is taken', async () => {
    const bucket = await newBucket(account);
    await expect(newBucket(stranger, bucket)).rejects.toMatchObject({ name: 'BucketAlreadyExists' });
    expect(await isOf(bucket, account)).toBe(true);
  });

  test('belongs to its next creator after its deletion', async () => {
    const bucket = await newBucket(account);
    await s3(account).send(new DeleteBucketCommand({ Bucket: bucket }));
    await newBucket(stranger, bucket);
    expect([await isOf(bucket, account), await isOf(bucket, stranger)]).toEqual([false, true]);
  });

  test('is open to all accounts if it was created with another key', async () => {
    const bucket = await newBucket('ANYBODY');
    expect([await isOf(bucket, account), await isOf(bucket, stranger)]).toEqual([true, true]);
  });

  test('is closed to a role for another account’s buckets', async () => {
    const bucket = await newBucket(account);
    const taken = await newBucket(stranger);
    const arn = `arn:aws:iam::000000000000:role/writer-${randomUUID()}`;
    const policies = Object.fromEntries(
      [bucket, taken].map((name) => [
        name,
        JSON.stringify(deliveryPolicy({ bucket: name, bucketOwner: account })),
      ]),
    );
    cloud.roles.put({ arn, trustPolicy: '{"Version":"2012-10-17","Statement":[]}', policies });
    const { accessKeyId } = cloud.sessions.open(arn, 'test', 900);
    const put = async (Bucket: string) =>
      await s3(accessKeyId).send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'x' }));
    await expect(put(bucket)).resolves.toBeDefined();
    await expect(put(taken)).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});

test('Firehose writes only into buckets that its role may write to', async () => {
  const [own, taken] = [await newBucket(account), await newBucket(stranger)];
  const firehose = new FirehoseClient(clientOf(cloud.endpoints.firehose));
  for (const bucket of [taken, own]) {
    const RoleARN = `arn:aws:iam::000000000000:role/delivery-${randomUUID()}`;
    const policy = JSON.stringify(deliveryPolicy({ bucket, bucketOwner: account }));
    const trustPolicy = '{"Version":"2012-10-17","Statement":[]}';
    cloud.roles.put({ arn: RoleARN, trustPolicy, policies: { write: policy } });
    const DeliveryStreamName = `to-${bucket}`.slice(0, 64);
    await firehose.send(
      new CreateDeliveryStreamCommand({
        DeliveryStreamName,
        ExtendedS3DestinationConfiguration: {
          BucketARN: `arn:aws:s3:::${bucket}`,
          RoleARN,
          BufferingHints: { IntervalInSeconds: 1, SizeInMBs: 128 },
        },
      }),
    );
    const statusOf = async () =>
      (await firehose.send(new DescribeDeliveryStreamCommand({ DeliveryStreamName })))
        .DeliveryStreamDescription?.DeliveryStreamStatus;
    await until(async () => (await statusOf()) === 'ACTIVE');
    await firehose.send(new PutRecordCommand({ DeliveryStreamName, Record: { Data: Buffer.from('x') } }));
  }
  await until(() => lines.some((line) => line.includes(`cannot write to ${taken}`)));
  await until(async () => (await objectsIn(own)) > 0);
  expect(await objectsIn(taken)).toBe(0);
});
