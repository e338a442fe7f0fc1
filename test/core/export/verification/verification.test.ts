import { describe, expect, test } from '@jest/globals';
import {
  consequenceOf,
  endsOwnership,
  notNow,
  ownershipFault,
  statementToChange,
  verificationCodes,
  verificationFault,
} from '../../../../core/export/kinds/checks.ts';
import { proofOf } from '../../../../core/export/kinds/proofs.ts';
import { bucket, bus, stream } from '../kinds/policies/agreed.ts';

describe('a fault found by a test', () => {
  test.each(verificationCodes)('states who has to act and what to do (%s)', (code) => {
    const fault = verificationFault(code);
    expect(fault.code).toBe(`Verification.${code}`);
    expect(['tenant', 'operator']).toContain(fault.actor);
    expect(fault.reason).toMatch(/^[A-Z].*\.$/);
    expect(proofOf(fault.code)).toMatch(/^[A-Z].*\.$/);
  });

  test('quotes AWS, shortened', () => {
    const { reason } = verificationFault('BucketMissing', 'x'.repeat(5_000));
    expect(reason).toMatch(/AWS says: x{500}$/);
  });

  test('states each step of a proof of ownership, with the names that it needs', () => {
    const ref = { tenantId: '0197a5c3-6c1e-7bd0-9a3f-0123456789ab', category: 'log' as const };
    const { reason, actor } = ownershipFault('OwnershipUnproven', ref, {
      bucket: 'its-bucket',
      object: 'omi/x.txt',
    });
    expect(actor).toBe('tenant');
    expect(reason).toContain('the object omi/x.txt in the bucket its-bucket');
    expect(reason).toContain(`omi target test --tenant ${ref.tenantId} --category log --proof <text>`);
  });
});

describe('a live target', () => {
  test.each([
    [
      'loses its trust when anybody could make the service write',
      'Verification.OpenWithoutExternalId',
      'revoke',
    ],
    ['loses its trust when any external id is accepted', 'Verification.OpenToAnyExternalId', 'revoke'],
    ['loses its trust when Firehose would lose events', 'Verification.BucketKeyNotUsable', 'revoke'],
    ['is parked for a fault that the exporter meets, too', 'AccessDenied', 'park'],
    ['is parked when only the test may be at fault', 'Verification.DeliveryRoleNotUsable', 'park'],
  ])('%s', (_, code, consequence) => {
    expect(consequenceOf({ ...notNow('x'), code })).toBe(consequence);
  });

  test('has to prove its bucket again when it cannot be the same bucket', () => {
    const ending = verificationCodes.filter((code) => endsOwnership(verificationFault(code)));
    expect(ending).toEqual(['BucketMissing', 'BucketElsewhere']);
    expect(endsOwnership(notNow('AccessDenied'))).toBe(false);
  });
});

describe('the statement to change', () => {
  test.each([
    ['Verification.OpenWithoutExternalId', 'trustPolicy', 'sts:AssumeRole'],
    ['Verification.OpenToAnyExternalId', 'trustPolicy', 'sts:AssumeRole'],
    ['AccessDenied', 'trustPolicy', 'sts:AssumeRole'],
    ['AccessDeniedException', 'permissionPolicy', 'kinesis:PutRecords'],
    ['KMSAccessDeniedException', 'keyPolicy', 'kms:GenerateDataKey'],
  ])('is, for %s, in the %s of a stream', (code, document, action) => {
    const found = statementToChange(code, stream());
    expect(found?.document).toBe(document);
    expect([found?.statement.Action].flat()).toContain(action);
  });

  test.each([
    ['Verification.OpenWithoutExternalId', 'trustPolicy', 'sts:AssumeRole'],
    ['AccessDeniedException', 'permissionPolicy', 'events:PutEvents'],
  ])('is, for %s, in the %s of a bus', (code, document, action) => {
    const found = statementToChange(code, bus());
    expect(found?.document).toBe(document);
    expect([found?.statement.Action].flat()).toContain(action);
  });

  test.each([
    ['Verification.BucketClosed', 'bucketPolicy', 's3:ListBucket'],
    ['Verification.BucketNotWritable', 'bucketPolicy', 's3:PutObject'],
    ['Verification.BucketKeyNotUsable', 'keyPolicy', 'kms:GenerateDataKey'],
  ])('is, for %s, in the %s of a bucket', (code, document, action) => {
    const found = statementToChange(code, bucket());
    expect(found?.document).toBe(document);
    expect([found?.statement.Action].flat()).toContain(action);
  });

  test('is missing when no policy is wrong, or the target has no such policy', () => {
    expect(statementToChange('Verification.BucketMissing', bucket())).toBeUndefined();
    expect(statementToChange('Timeout', stream())).toBeUndefined();
    expect(statementToChange('Verification.BucketClosed', stream())).toBeUndefined();
    expect(statementToChange('KMSAccessDeniedException', stream({ kmsKeyArn: undefined }))).toBeUndefined();
  });
});
