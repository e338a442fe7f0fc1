import { createHash } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FaultKind, ServiceName } from '../../../../../tools/local/aws/endpoint/fault-schema.ts';
import type { AwsRequest } from '../../../../../tools/local/aws/endpoint/http.ts';
import { asArray, jsonResponse, parseJson } from '../../../../../tools/local/aws/protocols/json.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { type Alone, clientOf, startAlone } from '../clients.ts';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { CloudWatchClient, GetMetricDataCommand } from '@aws-sdk/client-cloudwatch';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const item = { pk: { S: 'x' } };
const roleArn = 'arn:aws:iam::111122223333:role/omi-events';
const records = ['a', 'b', 'c', 'd'].map((text) => ({ Data: Buffer.from(text), PartitionKey: text }));
const entries = ['a', 'b', 'c'].map((Id) => ({ Id, MessageBody: Id }));

/** What the service itself does to each of the systems. */
const calls: Record<ServiceName, (url: string) => Promise<unknown>> = {
  cloudwatch: (url) =>
    new CloudWatchClient(clientOf(url)).send(
      new GetMetricDataCommand({ MetricDataQueries: [], StartTime: new Date(0), EndTime: new Date(1) }),
    ),
  dynamodb: (url) =>
    new DynamoDBClient(clientOf(url)).send(new PutItemCommand({ TableName: 'events', Item: item })),
  eventbridge: (url) =>
    new EventBridgeClient(clientOf(url)).send(
      new PutEventsCommand({ Entries: [{ Source: 'omi', DetailType: 'AEvent', Detail: '{}' }] }),
    ),
  kinesis: (url) =>
    new KinesisClient(clientOf(url)).send(new PutRecordsCommand({ StreamName: 'stream', Records: records })),
  firehose: (url) =>
    new FirehoseClient(clientOf(url)).send(
      new PutRecordBatchCommand({ DeliveryStreamName: 'stream', Records: records }),
    ),
  kms: (url) =>
    new KMSClient(clientOf(url)).send(
      new EncryptCommand({ KeyId: 'alias/omi', Plaintext: Buffer.from('x') }),
    ),
  s3: (url) =>
    new S3Client(clientOf(url)).send(new PutObjectCommand({ Bucket: 'bucket', Key: 'key', Body: 'x' })),
  secretsmanager: (url) =>
    new SecretsManagerClient(clientOf(url)).send(new GetSecretValueCommand({ SecretId: 'key' })),
  sesv2: (url) =>
    new SESv2Client(clientOf(url)).send(
      new SendEmailCommand({ FromEmailAddress: 'omi@operator.example', Content: {} }),
    ),
  sns: (url) =>
    new SNSClient(clientOf(url)).send(
      new PublishCommand({ TargetArn: 'arn:x:endpoint/GCM/omi/e', Message: 'x' }),
    ),
  sqs: (url) =>
    new SQSClient(clientOf(url)).send(
      new SendMessageBatchCommand({ QueueUrl: `${url}/000000000000/queue`, Entries: entries }),
    ),
  sts: (url) =>
    new STSClient(clientOf(url)).send(new AssumeRoleCommand({ RoleArn: roleArn, RoleSessionName: 'omi' })),
};

const endpoints: Partial<Record<ServiceName, Alone>> = {};
/** What reached the other side. */
let passed: AwsRequest[] = [];

beforeAll(async () => {
  for (const name of Object.keys(calls) as ServiceName[]) {
    endpoints[name] = await startAlone(services[name], answerAll, { http2: name === 'kinesis' });
  }
});
afterAll(
  async () => await Promise.all(Object.values(endpoints).map(async (endpoint) => await endpoint.close())),
);

/** Answers a batch as each of the services would. */
function answerAll(request: AwsRequest) {
  passed.push(request);
  const { input } = parseJson(request);
  const results = asArray(input['Records']).map((_, n) => ({ RecordId: `r${n}`, SequenceNumber: `s${n}` }));
  const Successful = asArray(input['Entries']).map((entry) => {
    const { Id, MessageBody = '' } = entry as { Id: string; MessageBody?: string };
    return { Id, MessageId: Id, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') };
  });
  return jsonResponse(200, {
    Records: results,
    FailedRecordCount: 0,
    RequestResponses: results,
    FailedPutCount: 0,
    Successful,
    Entries: Successful.map(() => ({ EventId: 'e' })),
  });
}

async function strike(service: ServiceName, fault: FaultKind, call = calls[service]): Promise<unknown> {
  const endpoint = endpoints[service];
  if (!endpoint) throw new Error(`There is no endpoint for ${service}.`);
  passed = [];
  endpoint.faults.add({ service, fault, times: 1, ...(fault === 'partial' ? { ratio: 0.5 } : {}) });
  return await call(endpoint.url);
}

describe('a faulty call', () => {
  test.each<[ServiceName, FaultKind, string, number]>([
    ['dynamodb', 'throttle', 'ProvisionedThroughputExceededException', 400],
    ['dynamodb', 'access-denied', 'AccessDeniedException', 400],
    ['dynamodb', 'not-found', 'ResourceNotFoundException', 400],
    ['dynamodb', 'unavailable', 'ServiceUnavailable', 503],
    ['dynamodb', 'conflict', 'TransactionConflictException', 400],
    ['eventbridge', 'throttle', 'ThrottlingException', 400],
    ['eventbridge', 'access-denied', 'AccessDeniedException', 400],
    ['eventbridge', 'not-found', 'ResourceNotFoundException', 400],
    ['eventbridge', 'unavailable', 'InternalException', 500],
    ['sesv2', 'throttle', 'TooManyRequestsException', 429],
    ['sesv2', 'access-denied', 'AccessDeniedException', 400],
    ['sesv2', 'not-found', 'NotFoundException', 404],
    ['sesv2', 'unavailable', 'InternalServiceErrorException', 500],
    ['kinesis', 'throttle', 'ProvisionedThroughputExceededException', 400],
    ['kinesis', 'access-denied', 'AccessDeniedException', 400],
    ['kinesis', 'not-found', 'ResourceNotFoundException', 400],
    ['kinesis', 'unavailable', 'ServiceUnavailable', 503],
    ['kinesis', 'disabled', 'KMSDisabledException', 400],
    ['firehose', 'throttle', 'ServiceUnavailableException', 503],
    ['firehose', 'access-denied', 'AccessDeniedException', 400],
    ['firehose', 'not-found', 'ResourceNotFoundException', 400],
    ['firehose', 'unavailable', 'ServiceUnavailableException', 503],
    ['kms', 'throttle', 'ThrottlingException', 400],
    ['kms', 'access-denied', 'AccessDeniedException', 400],
    ['kms', 'not-found', 'NotFoundException', 400],
    ['kms', 'unavailable', 'KMSInternalException', 500],
    ['kms', 'disabled', 'DisabledException', 400],
    ['s3', 'throttle', 'SlowDown', 503],
    ['s3', 'access-denied', 'AccessDenied', 403],
    ['s3', 'not-found', 'NoSuchBucket', 404],
    ['s3', 'unavailable', 'ServiceUnavailable', 503],
    ['sns', 'throttle', 'Throttling', 400],
    ['sns', 'access-denied', 'AuthorizationErrorException', 403],
    ['sns', 'not-found', 'NotFoundException', 404],
    ['sns', 'unavailable', 'ServiceUnavailable', 503],
    ['sns', 'disabled', 'EndpointDisabledException', 400],
    ['sqs', 'throttle', 'RequestThrottled', 403],
    ['sqs', 'access-denied', 'AccessDenied', 403],
    ['sqs', 'not-found', 'QueueDoesNotExist', 400],
    ['sqs', 'unavailable', 'ServiceUnavailable', 503],
    ['sts', 'throttle', 'Throttling', 400],
    ['sts', 'access-denied', 'AccessDenied', 403],
    ['sts', 'not-found', 'AccessDenied', 403],
    ['sts', 'unavailable', 'ServiceUnavailable', 503],
  ])('fails as the SDK expects: %s with the fault %s is %s', async (service, fault, name, httpStatusCode) => {
    await expect(strike(service, fault)).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
    expect(passed).toEqual([]);
  });
});

describe('a conflicting transaction', () => {
  const TransactItems = ['confirmations', 'devices', 'events'].map((TableName) => ({
    Put: { TableName, Item: item },
  }));
  const transact = async (url: string) =>
    await new DynamoDBClient(clientOf(url)).send(new TransactWriteItemsCommand({ TransactItems }));

  test('returns a reason for each of its items', async () => {
    await expect(strike('dynamodb', 'conflict', transact)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message: expect.stringContaining('[TransactionConflict, None, None]') as unknown,
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }, { Code: 'None' }],
    });
  });

  test('conflicts in the table of the fault', async () => {
    endpoints.dynamodb?.faults.add({ service: 'dynamodb', fault: 'conflict', resource: 'events', times: 1 });
    await expect(transact(endpoints.dynamodb?.url ?? '')).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'None' }, { Code: 'TransactionConflict' }],
    });
  });
});

describe('a partial failure', () => {
  test('fails a share of a batch of Kinesis, at the right positions', async () => {
    expect(await strike('kinesis', 'partial')).toMatchObject({
      FailedRecordCount: 2,
      Records: [
        {
          ErrorCode: 'ProvisionedThroughputExceededException',
          ErrorMessage: expect.stringContaining('Rate exceeded') as unknown,
        },
        { SequenceNumber: 's0' },
        { ErrorCode: 'ProvisionedThroughputExceededException' },
        { SequenceNumber: 's1' },
      ],
    });
    expect(keysPassed()).toEqual(['b', 'd']);
  });

  test('fails a share of a batch of Firehose, at the right positions', async () => {
    expect(await strike('firehose', 'partial')).toMatchObject({
      FailedPutCount: 2,
      RequestResponses: [
        { ErrorCode: 'ServiceUnavailableException', ErrorMessage: 'Slow down.' },
        { RecordId: 'r0' },
        { ErrorCode: 'ServiceUnavailableException' },
        { RecordId: 'r1' },
      ],
    });
  });

  test('fails a share of a batch of SQS, at the right positions', async () => {
    expect(await strike('sqs', 'partial')).toMatchObject({
      Successful: [{ Id: 'b' }],
      Failed: [
        { Id: 'a', Code: 'InternalError', SenderFault: false },
        { Id: 'c', Code: 'InternalError', SenderFault: false },
      ],
    });
  });

  const keysPassed = (): unknown[] =>
    passed
      .flatMap((request) => asArray(parseJson(request).input['Records']))
      .map((record) => (record as { PartitionKey: string }).PartitionKey);
});
