import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteDeliveryStreamCommand,
  DescribeDeliveryStreamCommand,
  FirehoseClient,
} from '@aws-sdk/client-firehose';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BucketDestination } from '../../../../core/export/kinds/bucket/record.ts';
import { createFirehose, type Firehose } from '../../../../tools/local/aws/stand-ins/firehose/backend.ts';
import { firehose as wire } from '../../../../tools/local/aws/protocols/services.ts';
import type { Aws } from '../../../../tools/local/seed/aws-access.ts';
import { ensureDeliveryStream } from '../../../../tools/local/seed/delivery-stream.ts';
import { type Alone, clientOf, startAlone } from '../aws/clients.ts';

/** Milliseconds that a delivery stream is created or deleted: longer than a call takes. */
const settleMs = 300;

const ref = { tenantId: '6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01', category: 'public' } as const;
const destination: BucketDestination = {
  kind: 'bucket',
  bucket: 'events',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  deliveryStreamName: 'omi-local-public',
};
const DeliveryStreamName = destination.deliveryStreamName;

let firehose: Firehose;
let endpoint: Alone;
let client: FirehoseClient;
let aws: Aws;

beforeEach(async () => {
  firehose = createFirehose({ s3Url: 'http://127.0.0.1:1', log: () => undefined, settleMs });
  endpoint = await startAlone(wire, firehose.backend);
  client = new FirehoseClient(clientOf(endpoint.url));
  const endpoints = { dynamodb: '', firehose: endpoint.url, kinesis: '', s3: '', sts: '' };
  aws = { region: 'eu-central-1', endpoints };
});
afterEach(async () => {
  client.destroy();
  await firehose.close();
  await endpoint.close();
});

const found = async () => {
  const { DeliveryStreamDescription } = await client.send(
    new DescribeDeliveryStreamCommand({ DeliveryStreamName }),
  );
  return DeliveryStreamDescription;
};

async function becomesActive(): Promise<void> {
  while ((await found())?.DeliveryStreamStatus !== 'ACTIVE') await wait(5);
}

describe('a seeded delivery stream', () => {
  test('is created', async () => {
    await ensureDeliveryStream(aws, ref, destination);
    await becomesActive();
  });

  test('stays as it is if it exists', async () => {
    await ensureDeliveryStream(aws, ref, destination);
    await becomesActive();
    const before = await found();
    await ensureDeliveryStream(aws, ref, destination);
    expect(await found()).toEqual(before);
  });

  test('is created again after its deletion', async () => {
    await ensureDeliveryStream(aws, ref, destination);
    await becomesActive();
    await client.send(new DeleteDeliveryStreamCommand({ DeliveryStreamName }));
    await ensureDeliveryStream(aws, ref, destination);
    await becomesActive();
  });
});
