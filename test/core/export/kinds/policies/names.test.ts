import { describe, expect, test } from '@jest/globals';
import {
  tenantDocuments,
  type TenantTarget,
} from '../../../../../core/export/kinds/policies/tenant-documents.ts';
import {
  bucket,
  bucketTarget,
  deliveryRoleArn,
  exporter,
  externalId,
  kmsKeyArn,
  stream,
  streamArn,
  streamTarget,
} from './agreed.ts';

describe('an ambiguous name', () => {
  const inserts = [
    '*',
    '?',
    '"',
    "'",
    '\n',
    '\\',
    '${aws:username}',
    '%{if true}',
    ' ',
    '\u2028',
    '\0',
    '{',
    ',',
  ];
  const fields: [field: string, of: TenantTarget['kind'], plain: string | string[]][] = [
    ['streamArn', 'stream', streamArn],
    ['externalId', 'stream', externalId],
    ['kmsKeyArn', 'stream', kmsKeyArn],
    ['roleName', 'stream', 'omi-event-export'],
    ['operatorRoleArns', 'stream', [exporter]],
    ['bucket', 'bucket', 'tenant-events'],
    ['kmsKeyArn', 'bucket', kmsKeyArn],
    ['deliveryRoleArn', 'bucket', deliveryRoleArn],
  ];
  /** Commas are allowed in the names of roles and in external ids. */
  const isPlain = (field: string, insert: string) =>
    insert === ',' && ['externalId', 'roleName', 'operatorRoleArns', 'deliveryRoleArn'].includes(field);

  test.each(fields)('is refused as %s of a %s', (field, kind, plain) => {
    const target = kind === 'stream' ? streamTarget : bucketTarget;
    for (const insert of inserts.filter((one) => !isPlain(field, one))) {
      const spoil = (text: string) => [`${text}${insert}`, `${insert}${text}`, text.replace('-', insert)];
      const spoilt = typeof plain === 'string' ? spoil(plain) : spoil(plain[0] ?? '').map((one) => [one]);
      for (const value of spoilt) expect(() => tenantDocuments({ ...target, [field]: value })).toThrow();
    }
  });

  test('is refused if it names another kind of resource', () => {
    expect(() => stream({ streamArn: kmsKeyArn })).toThrow();
    expect(() => bucket({ deliveryRoleArn: 'arn:aws:iam::000000000000:root' })).toThrow();
    expect(() => bucket({ kmsKeyArn: 'arn:aws:kms:eu-central-1:111122223333:alias/omi' })).toThrow();
  });
});

test('roles of two operators, no roles, a short external id and unknown members are refused', () => {
  const foreign = exporter.replace('000000000000', '444455556666');
  expect(() => stream({ operatorRoleArns: [exporter, foreign] })).toThrow('one account');
  expect(() => stream({ operatorRoleArns: [] })).toThrow();
  expect(() => stream({ externalId: 'x'.repeat(15) })).toThrow();
  expect(() => stream({ bucket: 'tenant-events' })).toThrow();
});

test('a key in another region is refused, because Kinesis could not use it', () => {
  expect(() => stream({ kmsKeyArn: kmsKeyArn.replace('eu-central-1', 'us-east-1') })).toThrow('region');
});
