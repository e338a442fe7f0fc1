import { describe, expect, test } from '@jest/globals';
import { CredentialsUnavailable } from '../../../../core/export/kinds/role/role-faults.ts';
import { deliveryStreamFault } from '../../../../core/export/kinds/bucket/delivery-stream-faults.ts';
import { explainStreamError, streamFault } from '../../../../core/export/kinds/stream/stream-faults.ts';

const roleFault = (name: string) =>
  explainStreamError(
    new CredentialsUnavailable('no credentials', { cause: Object.assign(new Error(''), { name }) }),
  );

/** Error lists of PutRecords, AssumeRole and PutRecordBatch in AWS's API references. */
const lasting = [
  ...[
    ...[
      'AccessDeniedException',
      'ResourceNotFoundException',
      'InvalidArgumentException',
      'ValidationException',
    ],
    ...['KMSAccessDeniedException', 'KMSDisabledException', 'KMSInvalidStateException'],
    ...['KMSNotFoundException', 'KMSOptInRequired'],
  ].map((code) => ['a stream', code, streamFault(code)] as const),
  ...[
    ...['AccessDenied', 'RegionDisabledException', 'ValidationError'],
    ...['MalformedPolicyDocument', 'PackedPolicyTooLarge'],
  ].map((code) => ['a role', code, roleFault(code)] as const),
  ...[
    ...['AccessDeniedException', 'InvalidKMSResourceException', 'InvalidSourceException'],
    ...['InvalidArgumentException', 'ValidationException'],
  ].map((code) => ['a delivery stream', code, deliveryStreamFault(code)] as const),
];

describe('a lasting fault', () => {
  test.each(lasting)(
    'states what is wrong, who has to act and what to do: %s, %s',
    (_, __, { actor, reason }) => {
      expect(['tenant', 'operator']).toContain(actor);
      expect(reason).toMatch(new RegExp(`^[A-Z].+\\. The ${actor} must .+\\.$`));
    },
  );
});

describe('a temporary fault', () => {
  test.each([
    'ProvisionedThroughputExceededException',
    'KMSThrottlingException',
    'ServiceUnavailableException',
  ])('requires nobody to act: %s', (code) => {
    expect(streamFault(code)).toMatchObject({
      actor: 'nobody',
      code,
      reason: expect.stringContaining('Nobody needs to act'),
    });
  });

  test('requires nobody to act when the delivery stream is gone, because the service creates it again', () => {
    expect(deliveryStreamFault('ResourceNotFoundException')).toMatchObject({
      actor: 'nobody',
      reason: expect.stringMatching(/The service creates it again\. Nobody needs to act\.$/),
    });
  });
});

test('the reason quotes the message of AWS, shortened', () => {
  const { reason } = streamFault('AccessDeniedException', `User x is not authorized${'.'.repeat(2_000)}`);
  expect(reason).toContain(' AWS says: User x is not authorized');
  expect(reason.length).toBeLessThan(1_000);
});
