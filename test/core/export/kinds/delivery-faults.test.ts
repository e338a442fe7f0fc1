import { describe, expect, test } from '@jest/globals';
import { CredentialsUnavailable } from '../../../../core/export/kinds/role/role-faults.ts';
import { explainBucketError } from '../../../../core/export/kinds/bucket/bucket-errors.ts';
import { deliveryStreamFault } from '../../../../core/export/kinds/bucket/delivery-stream-faults.ts';
import {
  translateControlError,
  type DeliveryStreamRefused,
} from '../../../../core/export/kinds/bucket/provisioning/provisioning-faults.ts';
import { firehoseFault } from '../../../../core/export/kinds/bucket/reports/firehose-errors.ts';
import { busFault, isRefusedEvent } from '../../../../core/export/kinds/bus/bus-faults.ts';
import { notNow } from '../../../../core/export/kinds/checks.ts';
import {
  explainSignalsError,
  SignalUnavailable,
} from '../../../../core/export/kinds/signals/signals-faults.ts';
import {
  explainWebhookError,
  SecretUnavailable,
} from '../../../../core/export/kinds/webhook/webhook-faults.ts';
import type { Fault } from '../../../../core/export/targets/target.ts';
import { explainStreamError, streamFault } from '../../../../core/export/kinds/stream/stream-faults.ts';

const named = (name: string) => Object.assign(new Error(''), { name });

const roleFault = (name: string) =>
  explainStreamError(new CredentialsUnavailable('no credentials', { cause: named(name) }));

/** Error lists of PutRecords, AssumeRole, PutRecordBatch and PutEvents in AWS's API references. */
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
  ...[
    ...['AccessDeniedException', 'InvalidAccountIdException', 'NotAuthorizedForSourceException'],
    ...['ResourceNotFoundException', 'ValidationException'],
  ].map((code) => ['a bus', code, busFault(code)] as const),
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

describe('a code that the service does not know', () => {
  const code = 'SomethingNewException';
  test.each<[string, Fault]>([
    ['a stream', streamFault(code)],
    ['a bus', busFault(code)],
    ['a role', roleFault(code)],
    ['a delivery stream', deliveryStreamFault(code)],
    ['what Firehose reports', firehoseFault(code, '')],
    ['a test of a bucket', notNow(code)],
    ["a webhook's key", explainWebhookError(new SecretUnavailable('', { cause: named(code) }))],
    ["a stream of signals' key", explainSignalsError(new SignalUnavailable('', { cause: named(code) }))],
    ['provisioning', (translateControlError(named(code)) as DeliveryStreamRefused).fault],
  ])('is for the operator if it lasts: %s', (_, fault) => {
    expect(fault).toMatchObject({
      actor: 'nobody',
      lastingActor: 'operator',
      reason: `The call fails with ${code}. It is made again, less often each time. If this lasts, the operator must find out why.`,
    });
  });
});

test.each(['InvalidArgument', 'MalformedDetail', 'NotAuthorizedForDetailTypeException', 'RedactionFailure'])(
  'an event that a bus refuses by %s is refused for ever',
  (code) => {
    expect(isRefusedEvent(busFault(code))).toBe(true);
  },
);

/** The SDK's error for an answer to HEAD: there is no body, and so no name. */
test.each([
  [503, undefined],
  [429, undefined],
  [400, 'operator'],
])('an answer of a bucket with nothing but the status %d', (httpStatusCode, lastingActor) => {
  const error = Object.assign(named('UnknownError'), { $metadata: { httpStatusCode } });
  expect(explainBucketError(error, 'BucketClosed')).toMatchObject({
    ...{ actor: 'nobody', code: `Http${httpStatusCode}` },
    ...(lastingActor !== undefined && { lastingActor }),
  });
  expect('lastingActor' in explainBucketError(error, 'BucketClosed')).toBe(lastingActor !== undefined);
});

describe('a temporary fault', () => {
  test.each([
    'ProvisionedThroughputExceededException',
    'KMSThrottlingException',
    ...['ServiceUnavailableException', 'InternalFailure', 'LimitExceededException', 'TimeoutError'],
    ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'NoAnswer'],
  ])('requires nobody to act: %s', (code) => {
    const fault = streamFault(code);
    expect(fault).toMatchObject({ actor: 'nobody', code });
    expect(fault.reason).toContain('Nobody needs to act');
    expect(fault).not.toHaveProperty('lastingActor');
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
