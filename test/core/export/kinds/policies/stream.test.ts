import { describe, expect, test } from '@jest/globals';
import { isAllowed } from './policy-evaluation.ts';
import {
  exporter,
  externalId,
  granted,
  kmsKeyArn,
  redelivery,
  stream,
  streamArn,
  verifier,
} from './agreed.ts';

const tenantRole = 'arn:aws:iam::111122223333:role/omi-event-export';

describe("the tenant's role", () => {
  const assume = (caller: string, presented?: string) =>
    isAllowed(stream().trustPolicy, {
      caller,
      action: 'sts:AssumeRole',
      context: presented === undefined ? {} : { 'sts:ExternalId': presented },
    });

  test.each([exporter, redelivery, verifier])('can be assumed by %s with the external id', (caller) => {
    expect(assume(caller, externalId)).toBe(true);
  });

  test.each([
    ['without the external id', exporter, undefined],
    ['with a wrong one', exporter, `${externalId}x`],
    [
      "by another role of the operator's",
      'arn:aws:iam::000000000000:role/omi-production-authorize',
      externalId,
    ],
    ['by a role of that name elsewhere', exporter.replace('000000000000', '444455556666'), externalId],
    ['by the exporter of another stage', exporter.replace('production', 'dev'), externalId],
  ])('cannot be assumed %s', (_, caller, presented) => {
    expect(assume(caller, presented)).toBe(false);
  });

  test('requires the external id that this tenant chose', () => {
    const [statement] = stream({ externalId: 'another-random-string' }).trustPolicy.Statement;
    expect(statement?.Condition?.['StringEquals']?.['sts:ExternalId']).toBe('another-random-string');
    expect(stream({ externalId: 'another-random-string' }).trustPolicy).not.toEqual(stream().trustPolicy);
  });

  test('writes to the one stream, reads its order of records, and reads no data', () => {
    expect(granted(stream({ kmsKeyArn: undefined }).permissionPolicy)).toEqual([
      [['kinesis:PutRecords', 'kinesis:DescribeStreamSummary'], streamArn],
    ]);
  });

  test("uses the tenant's own key if there is one, and only through Kinesis for this stream", () => {
    const { permissionPolicy } = stream();
    expect(granted(permissionPolicy)).toContainEqual(['kms:GenerateDataKey', kmsKeyArn]);
    const use = (context: Record<string, string>) =>
      isAllowed(permissionPolicy, {
        caller: tenantRole,
        action: 'kms:GenerateDataKey',
        resource: kmsKeyArn,
        context,
      });
    const usual = {
      'kms:ViaService': 'kinesis.eu-central-1.amazonaws.com',
      'kms:EncryptionContext:aws:kinesis:arn': streamArn,
    };
    expect(use(usual)).toBe(true);
    expect(use({ ...usual, 'kms:ViaService': 's3.eu-central-1.amazonaws.com' })).toBe(false);
    expect(use({ ...usual, 'kms:EncryptionContext:aws:kinesis:arn': `${streamArn}-2` })).toBe(false);
    expect(use({})).toBe(false);
  });

  test("is allowed by the key's policy under its future name", () => {
    const { keyPolicy } = stream({ roleName: 'events-out' });
    expect(keyPolicy?.keyArn).toBe(kmsKeyArn);
    expect(keyPolicy?.document.Statement[1]).toMatchObject({
      Principal: { AWS: 'arn:aws:iam::111122223333:role/events-out' },
      Action: 'kms:GenerateDataKey',
    });
  });
});
