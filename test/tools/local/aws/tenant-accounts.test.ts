/** Accounts of tenants: their resources, and the permissions of assumed roles. */
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateRoleCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  IAMClient,
  PutRolePolicyCommand,
} from '@aws-sdk/client-iam';
import {
  CreateStreamCommand,
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  KinesisClient,
  ListStreamsCommand,
  PutRecordsCommand,
} from '@aws-sdk/client-kinesis';
import { FirehoseClient, ListDeliveryStreamsCommand } from '@aws-sdk/client-firehose';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, type Credentials, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { tables } from '../../../../core/aws/tables.ts';
import { startLocalCloud, type LocalCloud } from '../../../../tools/local/aws/cloud.ts';
import { tableInput } from '../../../../tools/local/resources/tables.ts';
import { until } from '../../../support/waiting.ts';
import { sharedEmulators } from '../../../support/run-services.ts';
import { clientOf } from './clients.ts';

const account = '111122223333';
const stranger = '444455556666';

let cloud: LocalCloud;

beforeAll(async () => {
  cloud = await startLocalCloud({ ...(await sharedEmulators()), log: () => undefined });
});
afterAll(async () => await cloud.close());

const kinesis = (as: string): KinesisClient => new KinesisClient(clientOf(cloud.endpoints.kinesis, as));
const iam = (): IAMClient => new IAMClient(clientOf(cloud.endpoints.sts, account));

async function newStream(as = account): Promise<string> {
  const StreamName = `events-${randomUUID()}`;
  await kinesis(as).send(new CreateStreamCommand({ StreamName, ShardCount: 1 }));
  const isActive = async (): Promise<boolean> => {
    const { StreamDescriptionSummary: found } = await kinesis(as).send(
      new DescribeStreamSummaryCommand({ StreamName }),
    );
    return found?.StreamStatus === 'ACTIVE';
  };
  await until(isActive);
  return StreamName;
}

const arnOf = (name: string, owner = account): string =>
  `arn:aws:kinesis:eu-central-1:${owner}:stream/${name}`;
const Records = [{ Data: Buffer.from('{"events":[]}'), PartitionKey: '0' }];

describe('clouds that share emulators', () => {
  let other: LocalCloud;
  beforeAll(async () => {
    other = await startLocalCloud({ ...(await sharedEmulators()), log: () => undefined });
  });
  afterAll(async () => await other.close());

  test('have separate databases, for all callers', async () => {
    const tablesOf = async ({ endpoints }: LocalCloud, as: string) => {
      const client = new DynamoDBClient(clientOf(endpoints.dynamodb, as));
      return (await client.send(new ListTablesCommand({}))).TableNames;
    };
    await new DynamoDBClient(clientOf(cloud.endpoints.dynamodb)).send(
      new CreateTableCommand(tableInput(tables.devices, 'devices')),
    );
    expect(await tablesOf(cloud, 'anybody')).toEqual(['devices']);
    expect(await tablesOf(other, 'anybody')).toEqual([]);
  });

  test('have separate streams, of all accounts', async () => {
    const StreamName = await newStream();
    const others = new KinesisClient(clientOf(other.endpoints.kinesis, account));
    const StreamARN = arnOf(StreamName);
    await expect(others.send(new PutRecordsCommand({ StreamARN, Records }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    expect((await others.send(new ListStreamsCommand({}))).StreamNames).toEqual([]);
    await others.send(new CreateStreamCommand({ StreamName, ShardCount: 2 }));
    const { StreamDescriptionSummary } = await kinesis(account).send(
      new DescribeStreamSummaryCommand({ StreamName }),
    );
    expect(StreamDescriptionSummary?.OpenShardCount).toBe(1);
  });
});

test('many tenants can have on-demand streams without keeping others from creating streams', async () => {
  const streams = Array.from({ length: 12 }, () => `many-${randomUUID()}`);
  for (const StreamName of streams)
    await kinesis(account).send(
      new CreateStreamCommand({ StreamName, StreamModeDetails: { StreamMode: 'ON_DEMAND' } }),
    );
  const { StreamNames = [] } = await kinesis(account).send(new ListStreamsCommand({ Limit: 100 }));
  expect(StreamNames).toEqual(expect.arrayContaining(streams));
});

describe('a stream', () => {
  test('belongs to the account of its creator, and is written to by its ARN', async () => {
    const name = await newStream();
    const { StreamDescriptionSummary } = await kinesis(account).send(
      new DescribeStreamSummaryCommand({ StreamName: name }),
    );
    expect(StreamDescriptionSummary?.StreamARN).toBe(arnOf(name));
    await expect(
      kinesis('ANYBODY').send(new PutRecordsCommand({ StreamARN: arnOf(name), Records })),
    ).resolves.toMatchObject({ FailedRecordCount: 0 });
    for (const owner of [stranger, '000000000000'])
      await expect(
        kinesis('ANYBODY').send(new PutRecordsCommand({ StreamARN: arnOf(name, owner), Records })),
      ).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('is read by its name with any credentials, but not from another account', async () => {
    const StreamName = await newStream();
    await kinesis(account).send(new PutRecordsCommand({ StreamName, Records }));
    const from = { StreamName, ShardId: 'shardId-000000000000', ShardIteratorType: 'TRIM_HORIZON' } as const;
    const { ShardIterator } = await kinesis('ANYBODY').send(new GetShardIteratorCommand(from));
    const read = await kinesis('ANYBODY').send(new GetRecordsCommand({ ShardIterator }));
    expect(read.Records).toHaveLength(1);
    expect((await kinesis('ANYBODY').send(new ListStreamsCommand({}))).StreamNames).toContain(StreamName);
    await expect(kinesis(stranger).send(new GetShardIteratorCommand(from))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('is found as before in the local account', async () => {
    const StreamName = await newStream('ANYBODY');
    const StreamARN = arnOf(StreamName, '000000000000');
    await kinesis('SOMEBODY').send(new PutRecordsCommand({ StreamARN, Records }));
    await kinesis('SOMEBODY').send(new PutRecordsCommand({ StreamName, Records }));
  });
});

describe('an assumed role', () => {
  let name: string;
  let RoleName: string;

  beforeEach(async () => {
    name = await newStream();
    RoleName = `role-${randomUUID()}`;
    await createRole();
  });

  async function createRole(): Promise<void> {
    const Statement = { Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' };
    const AssumeRolePolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam().send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }));
  }

  async function allow(...Statement: object[]): Promise<void> {
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam().send(new PutRolePolicyCommand({ RoleName, PolicyName: 'permissions', PolicyDocument }));
  }

  const put = (Resource: string, more: object = {}) => {
    return { Effect: 'Allow', Action: 'kinesis:PutRecords', Resource, ...more };
  };

  async function assume(policy?: object): Promise<Session> {
    const RoleArn = `arn:aws:iam::${account}:role/${RoleName}`;
    const Policy = policy && JSON.stringify({ Version: '2012-10-17', Statement: [policy] });
    const { Credentials } = await new STSClient(clientOf(cloud.endpoints.sts)).send(
      new AssumeRoleCommand({ RoleArn, RoleSessionName: 'test', Policy }),
    );
    return { endpointless: settings(Credentials) };
  }

  const settings = ({
    AccessKeyId = '',
    SecretAccessKey = '',
    SessionToken = '',
  }: Partial<Credentials> = {}) => ({
    region: 'eu-central-1',
    maxAttempts: 1,
    credentials: { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken },
  });

  type Session = { endpointless: ReturnType<typeof settings> };

  const putAs = async ({ endpointless }: Session, to: object = { StreamARN: arnOf(name) }) =>
    await new KinesisClient({ ...endpointless, endpoint: cloud.endpoints.kinesis }).send(
      new PutRecordsCommand({ ...to, Records }),
    );

  const denied = { name: 'AccessDeniedException' };

  test('may do what its policies allow on the resources that they name', async () => {
    await allow(put(arnOf(name)));
    const session = await assume();
    await expect(putAs(session)).resolves.toMatchObject({ FailedRecordCount: 0 });
    // A name without an ARN means a stream of the role's own account.
    await expect(putAs(session, { StreamName: name })).resolves.toMatchObject({ FailedRecordCount: 0 });
    await expect(putAs(session, { StreamARN: arnOf(await newStream()) })).rejects.toMatchObject(denied);
    await allow(put(arnOf(name), { Action: ['kinesis:Describe*', 'kinesis:GetRecords'] }));
    await expect(putAs(session)).rejects.toMatchObject(denied);
    await allow(put('arn:aws:kinesis:*:*:stream/events-*'), put(arnOf(name), { Effect: 'Deny' }));
    await expect(putAs(session)).rejects.toMatchObject(denied);
  });

  test('may do nothing without policies', async () => {
    await expect(putAs(await assume())).rejects.toMatchObject(denied);
  });

  test('is also limited by the session policy', async () => {
    await allow(put('*'));
    await expect(putAs(await assume(put(arnOf(name))))).resolves.toBeDefined();
    await expect(putAs(await assume(put(arnOf('another'))))).rejects.toMatchObject(denied);
    await allow(put(arnOf('another')));
    await expect(putAs(await assume(put(arnOf(name))))).rejects.toMatchObject(denied);
  });

  test('ends its sessions when it is deleted, even if it is created again', async () => {
    await allow(put('*'));
    const session = await assume();
    await iam().send(new DeleteRolePolicyCommand({ RoleName, PolicyName: 'permissions' }));
    await iam().send(new DeleteRoleCommand({ RoleName }));
    await expect(putAs(session)).rejects.toMatchObject(denied);
    await createRole();
    await allow(put('*'));
    await expect(putAs(session)).rejects.toMatchObject(denied);
    await expect(putAs(await assume())).resolves.toBeDefined();
  });

  test('is rejected by S3 and Firehose in their own formats', async () => {
    const Bucket = `bucket-${randomUUID()}`;
    await new S3Client({ ...clientOf(cloud.endpoints.s3), forcePathStyle: true }).send(
      new CreateBucketCommand({ Bucket }),
    );
    await allow({ Effect: 'Allow', Action: 's3:PutObject', Resource: `arn:aws:s3:::${Bucket}/in/*` });
    const { endpointless } = await assume();
    const s3 = new S3Client({ ...endpointless, endpoint: cloud.endpoints.s3, forcePathStyle: true });
    await s3.send(new PutObjectCommand({ Bucket, Key: 'in/a', Body: 'x' }));
    const refused = { name: 'AccessDenied' };
    const elsewhere = new PutObjectCommand({ Bucket, Key: 'out/a', Body: 'x' });
    await expect(s3.send(elsewhere)).rejects.toMatchObject(refused);
    await expect(s3.send(new GetObjectCommand({ Bucket, Key: 'in/a' }))).rejects.toMatchObject(refused);
    const firehose = new FirehoseClient({ ...endpointless, endpoint: cloud.endpoints.firehose });
    await expect(firehose.send(new ListDeliveryStreamsCommand({}))).rejects.toMatchObject(denied);
  });
});
