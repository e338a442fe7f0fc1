import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  deliveryStreamNameOf,
  isAsWanted,
  longestDeliveryStreamPrefix,
  targetOfDeliveryStream,
  wantedDeliveryStream,
} from '../../../../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { BucketDestination } from '../../../../../../core/export/kinds/bucket/record.ts';
import { categories } from '../../../../../../core/events/target-ref.ts';
import {
  checkedPrefixes,
  evaluatePrefix,
} from '../../../../../../tools/local/aws/stand-ins/firehose/prefix.ts';

const destination: BucketDestination = {
  kind: 'bucket',
  bucket: 'events-of-example',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  deliveryStreamName: 'omi-example',
};
const kmsKeyArn = 'arn:aws:kms:eu-central-1:123456789012:key/0f0e0d0c';

const of = { prefix: 'omi-dev-' };

describe('the name of a delivery stream', () => {
  const tenantId = randomUUID();

  test('follows from the target alone, and differs for each category', () => {
    expect(deliveryStreamNameOf('omi-dev-', { tenantId, category: 'log' })).toBe(`omi-dev-${tenantId}-log`);
    expect(deliveryStreamNameOf('omi-dev-', { tenantId, category: 'public' })).toBe(
      `omi-dev-${tenantId}-public`,
    );
  });

  test('identifies the target', () => {
    for (const category of categories) {
      const name = deliveryStreamNameOf('omi-dev-', { tenantId, category });
      expect(targetOfDeliveryStream('omi-dev-', name)).toEqual({ tenantId, category });
      expect(targetOfDeliveryStream('omi-prod-', name)).toBeUndefined();
    }
    expect(targetOfDeliveryStream('omi-dev-', 'omi-dev-x')).toBeUndefined();
  });

  test.each(categories)('is valid for Firehose with the longest prefix (%s)', (category) => {
    const name = deliveryStreamNameOf('x'.repeat(longestDeliveryStreamPrefix), { tenantId, category });
    expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
  });
});

describe('objects', () => {
  const { prefix, errorPrefix } = wantedDeliveryStream(destination, 'public', of);
  const evaluated = (time: string) => {
    const templates = checkedPrefixes(prefix, errorPrefix);
    return [
      evaluatePrefix(templates.prefix, new Date(time), ''),
      evaluatePrefix(templates.errorPrefix, new Date(time), 'processing-failed'),
    ];
  };

  test.each([
    ['2026-01-02T03:04:05Z', '2026/01/02/03'],
    ['2026-01-02T00:30:00+02:00', '2026/01/01/22'],
    // The last week of the one year is the first of the next: the year of the week would be 2025.
    ['2024-12-30T12:00:00Z', '2024/12/30/12'],
  ])('accepted at %s are stored under their UTC hour, and failed ones separately', (time, hour) => {
    expect(evaluated(time)).toEqual([`${hour}/public/`, `errors/processing-failed/${hour}/public/`]);
  });
});

describe('a delivery stream', () => {
  test("is requested for the bucket with the tenant's role, without transformation", () => {
    expect(wantedDeliveryStream(destination, 'log', of)).toMatchObject({
      bucketArn: 'arn:aws:s3:::events-of-example',
      roleArn: destination.deliveryRoleArn,
      buffering: { seconds: 300, mebibytes: 5 },
      compression: 'UNCOMPRESSED',
      logGroup: '/aws/kinesisfirehose/omi-dev',
    });
    expect(wantedDeliveryStream(destination, 'log', of)).not.toHaveProperty('kmsKeyArn');
  });

  test('writes with the tenant’s key if there is one', () => {
    expect(wantedDeliveryStream({ ...destination, kmsKeyArn }, 'log', of).kmsKeyArn).toBe(kmsKeyArn);
  });

  test('uses the partition of its role', () => {
    const deliveryRoleArn = 'arn:aws-cn:iam::000000000000:role/delivery';
    expect(wantedDeliveryStream({ ...destination, deliveryRoleArn }, 'log', of).bucketArn).toBe(
      'arn:aws-cn:s3:::events-of-example',
    );
  });

  const wanted = wantedDeliveryStream(destination, 'log', of);

  test('matches whatever else is configured on it', () => {
    expect(isAsWanted({ ...wanted, kmsKeyArn: undefined }, wanted)).toBe(true);
    expect(isAsWanted({ ...wanted, ...{ logging: true } }, wanted)).toBe(true);
  });

  test.each<[string, object]>([
    ['bucket', { bucketArn: 'arn:aws:s3:::other' }],
    ['role', { roleArn: 'arn:aws:iam::000000000000:role/other' }],
    ['prefix', { prefix: 'other/' }],
    ['error prefix', { errorPrefix: undefined }],
    ['time', { buffering: { seconds: 60, mebibytes: 5 } }],
    ['size', { buffering: { seconds: 300, mebibytes: 1 } }],
    ['buffering', { buffering: undefined }],
    ['key', { kmsKeyArn }],
    ['compression', { compression: 'GZIP' }],
  ])('does not match with another %s', (_, difference) => {
    expect(isAsWanted({ ...wanted, ...difference }, wanted)).toBe(false);
  });

  test('does not match without its key', () => {
    expect(isAsWanted(wanted, { ...wanted, kmsKeyArn })).toBe(false);
  });
});
