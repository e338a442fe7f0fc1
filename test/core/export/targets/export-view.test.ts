import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { explainDeliveryStreamError } from '../../../../core/export/kinds/bucket/delivery-stream-faults.ts';
import { streamFault } from '../../../../core/export/kinds/stream/stream-faults.ts';
import { exportView } from '../../../../core/export/targets/export-view.ts';
import { target as schema, type Fault, type Target } from '../../../../core/export/targets/target.ts';
import { policyToPaste } from '../../../../core/export/kinds/policies/policy-to-paste.ts';
import { checks, verificationCodes, verificationFault } from '../../../../core/export/kinds/checks.ts';

const tenantId = '0199c0de-0000-7000-8000-000000000001';
const externalId = '6f1ed002ab5595859014ebf0951522d9';
const operator = { stage: 'dev', region: 'eu-central-1', account: '999988887777', partition: 'aws' };
const deliveryRoleArn = `arn:aws:iam::999988887777:role/omi/dev/delivery/omi-dev-delivery-${tenantId}`;
const nothing = { parkedThrough: {}, drainedThrough: {}, waitingSince: {} };

const stream = (changes: Partial<Target> = {}): Target => ({
  ...v.parse(schema, {
    ...nothing,
    tenantId,
    category: 'public',
    destination: {
      kind: 'stream',
      streamArn: 'arn:aws:kinesis:eu-central-1:444455556666:stream/events',
      roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
      externalId,
    },
    state: 'active',
    stateSince: 1_000,
    acceptedCount: 9,
    deliveredCount: 7,
  }),
  ...changes,
});

const bucket = (changes: Partial<Target> = {}): Target => ({
  ...v.parse(schema, {
    ...nothing,
    tenantId,
    category: 'log',
    destination: {
      kind: 'bucket',
      bucket: 'events-of-example',
      kmsKeyArn: 'arn:aws:kms:eu-central-1:444455556666:key/1',
      deliveryRoleArn,
      deliveryStreamName: 'omi-dev-secret-name',
    },
    state: 'active',
    stateSince: 1_000,
  }),
  ...changes,
});

describe('a target as its tenant sees it', () => {
  test('has a destination without the external id and without resources of the operator', () => {
    expect(exportView(stream(), 5_000)).toEqual({
      category: 'public',
      destination: {
        kind: 'stream',
        streamArn: 'arn:aws:kinesis:eu-central-1:444455556666:stream/events',
        roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
        lanes: 2,
      },
      state: 'active',
      since: '1970-01-01T00:00:01.000Z',
      reason: 'Events are delivered as they come.',
      accepted: 9,
      delivered: 7,
      waiting: 0,
      oldestWaitingAt: null,
      types: null,
      lastTest: null,
    });
    const text = JSON.stringify(exportView(bucket({ types: ['A'] }), 5_000));
    expect(text).not.toContain('999988887777');
    expect(text).not.toContain('secret-name');
    expect(JSON.parse(text)).toMatchObject({
      types: ['A'],
      destination: { kind: 'bucket', bucket: 'events-of-example' },
    });
    expect(exportView(stream({ destination: { kind: 'none' } }), 5_000)).toMatchObject({
      destination: { kind: 'none' },
      reason: 'Events of this category are not exported.',
    });
  });

  test('has what its tenant gave as the destination, and no more', () => {
    const given = { ...bucket().destination, bucketOwner: '444455556666' };
    const viewOf = (target: Target) => exportView(target, 5_000).destination;
    expect(viewOf(bucket({ destination: given }))).toEqual({
      kind: 'bucket',
      bucket: 'events-of-example',
      bucketOwner: '444455556666',
      kmsKeyArn: 'arn:aws:kms:eu-central-1:444455556666:key/1',
    });
    const webhook = { kind: 'webhook', url: 'https://shop.example.com/events', lanes: 3 } as const;
    expect(viewOf(stream({ destination: webhook }))).toEqual({ kind: 'webhook', url: webhook.url });
    const bus = {
      kind: 'bus',
      busArn: 'arn:aws:events:eu-central-1:444455556666:event-bus/events',
      roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
    } as const;
    expect(viewOf(stream({ destination: { ...bus, externalId } }))).toEqual(bus);
  });

  test('has the other counts and warnings', () => {
    const lost = { cause: 'expired', from: 1_000, to: 2_000, events: 4 } as const;
    const counted = { acceptedCount: 5, deliveredCount: 5, replayedCount: 2, givenUp: [lost] };
    expect(exportView(bucket({ ...counted, warning: 'No order is kept.' }), 5_000)).toMatchObject({
      replayed: 2,
      inBucket: 5,
      givenUp: {
        count: 4,
        since: '1970-01-01T00:00:01.000Z',
        until: '1970-01-01T00:00:02.000Z',
        losses: [{ from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:02.000Z', events: 4 }],
      },
      warning: 'No order is kept.',
    });
  });

  test('has its last test', () => {
    const lastTest = { id: 'a', requestedAt: 1_000, outcome: 'waiting' } as const;
    expect(exportView(stream({ lastTest }), 5_000).lastTest).toEqual({
      outcome: 'waiting',
      requestedAt: '1970-01-01T00:00:01.000Z',
    });
    const ended = {
      ...lastTest,
      outcome: 'failed',
      endedAt: 2_000,
      code: 'BucketMissing',
      reason: 'There is no such bucket. AWS says: arn:aws:iam::999988887777:role/x found none',
      nextAt: 3_000,
      failures: 1,
    } as const;
    expect(exportView(stream({ lastTest: ended }), 5_000).lastTest).toEqual({
      outcome: 'failed',
      requestedAt: '1970-01-01T00:00:01.000Z',
      endedAt: '1970-01-01T00:00:02.000Z',
      code: 'BucketMissing',
      reason: 'There is no such bucket.',
      nextAt: '1970-01-01T00:00:03.000Z',
    });
  });

  test('states since when the oldest event waits', () => {
    const waiting = { parkedCount: 3, parkedThrough: { '0/2': '5' }, waitingSince: { '0/2': 2_000 } };
    expect(exportView(stream(waiting), 10_000)).toMatchObject({
      waiting: 3,
      oldestWaitingAt: '1970-01-01T00:00:02.000Z',
    });
  });

  test('states what the tenant must do, with what AWS says about its resources', () => {
    const fault = streamFault('ResourceNotFoundException', 'Stream events not found');
    expect(exportView(stream({ state: 'parked', fault }), 5_000)).toMatchObject({
      reason: expect.stringContaining('AWS says: Stream events not found') as unknown as string,
      code: 'ResourceNotFoundException',
      action: {
        who: 'tenant',
        what: 'The tenant must create it again, or tell the operator which stream to use.',
      },
    });
  });

  test("does not quote AWS about the operator's resources", () => {
    const told = Object.assign(new Error('arn:aws:firehose:eu-central-1:999988887777:x is denied'), {
      name: 'AccessDeniedException',
    });
    const view = exportView(bucket({ state: 'parked', fault: explainDeliveryStreamError(told) }), 5_000);
    expect(JSON.stringify(view)).not.toContain('999988887777');
    expect(view.reason).toMatch(/^The service may not write to its own delivery stream\. .* again\.$/);
    expect(view.action).toMatchObject({ who: 'operator' });
  });

  test.each([
    ['operator', undefined, 'The operator paused the target. Events wait until the operator resumes it.'],
    ['operator', 'operator', 'The operator paused the target. Events wait until the operator resumes it.'],
    [
      'tenant',
      'tenant',
      'The tenant paused the target. Events wait until the tenant or the operator resumes it.',
    ],
  ] as const)('states that the %s paused it (%s)', (who, pausedBy, reason) => {
    const paused = stream({ state: 'paused', ...(pausedBy && { pausedBy }) });
    const what = reason.slice(reason.indexOf('Events'));
    expect(exportView(paused, 5_000)).toMatchObject({ reason, action: { who, what } });
  });

  const failed = { id: 'a', requestedAt: 2_000, endedAt: 3_000, outcome: 'failed' } as const;

  test.each([
    ['is repeated', { ...failed, nextAt: 9_000 }, /Then ask for a test, or wait for the next one\.$/],
    ['needs a proof', failed, /Or ask for a test with this text as the proof\.$/],
  ] as const)('explains how to continue after a test that %s', (_, lastTest, words) => {
    const testFault = verificationFault('BucketNotWritable');
    const view = exportView(bucket({ state: 'validating', fault: testFault, testFault, lastTest }), 5_000);
    expect(view.action).toMatchObject({ who: 'tenant', what: expect.stringMatching(words) as unknown });
    expect(view.action?.what).toMatch(/^The tenant must allow it s3:PutObject/);
  });

  test('states who must act before the first test passed', () => {
    const actionOf = (target: Target) => exportView(target, 5_000).action;
    expect(actionOf(stream({ state: 'validating' }))).toEqual({
      who: 'operator',
      what: 'The operator or the tenant must ask for a test.',
    });
    const nobody = { who: 'nobody', what: 'Nobody needs to act.' };
    for (const outcome of ['waiting', 'running', 'postponed', 'passed'] as const)
      expect(actionOf(stream({ state: 'validating', lastTest: { ...failed, outcome } }))).toEqual(nobody);
    const provisioning = exportView(bucket({ state: 'validating', verifiedAt: 4_000 }), 5_000);
    expect(provisioning).toMatchObject({
      action: nobody,
      reason: expect.stringContaining('delivery stream'),
    });
  });

  test('needs nobody to act if the fault is temporary', () => {
    const fault = streamFault('ProvisionedThroughputExceededException');
    const view = exportView(stream({ state: 'degraded', fault }), 5_000);
    expect(view.action).toEqual({ who: 'nobody', what: 'Nobody needs to act.' });
  });

  const faulty = (actor: Fault['actor'], reason: string, changes: Partial<Target> = {}) =>
    exportView(stream({ state: 'parked', fault: { actor, code: 'Some', reason }, ...changes }), 5_000);

  test('quotes AWS only where the tenant must act', () => {
    const reason =
      'It is closed. AWS says: arn:aws:iam::999988887777:role/x may not. You must ask 999988887777.';
    expect(faulty('tenant', reason).reason).toBe(reason);
    for (const actor of ['operator', 'nobody'] as const)
      expect(faulty(actor, reason).reason).toBe('It is closed.');
    expect(faulty('tenant', reason).action?.what).toBe('The tenant must remove the cause.');
  });

  test('has only the sentences that state what to do', () => {
    const whatOf = (...given: Parameters<typeof faulty>) => faulty(...given).action?.what;
    const reason =
      'The key is mustard. The tenant must allow kms:Decrypt etc. for it. It is closed. Events wait until then.';
    expect(whatOf('tenant', reason)).toBe(
      'The tenant must allow kms:Decrypt etc. for it. Events wait until then.',
    );
    expect(whatOf('nobody', reason)).toBe('Nobody needs to act.');
    expect(whatOf('tenant', 'It is closed.')).toBe('The tenant must remove the cause.');
    expect(whatOf('operator', 'It is closed.', { lastTest: failed })).toBe(
      'The operator must remove the cause.',
    );
  });

  test('states what to do while events are still delivered through earlier access', () => {
    const testFault = verificationFault('BucketNotWritable');
    expect(exportView(bucket({ testFault }), 5_000)).toMatchObject({
      code: 'Verification.BucketNotWritable',
      action: { who: 'tenant' },
    });
  });

  test('has the code of the error that Firehose reported', () => {
    const fault = { actor: 'tenant', code: 'S3.AccessDenied', reason: 'The bucket is closed.' } as const;
    const times = { since: 2_000, lastErrorAt: 3_000, writtenCount: 0, acceptedSince: 1_000 };
    const bucketTrouble = { ...fault, bucket: 'events-of-example', ...times };
    expect(exportView(bucket({ state: 'degraded', bucketTrouble }), 5_000)).toMatchObject({
      code: 'S3.AccessDenied',
      reason: 'The bucket is closed.',
      action: { who: 'tenant', what: 'The tenant must remove the cause.' },
    });
  });

  test('has the policy to paste if one is given', () => {
    const target = stream({ state: 'parked' });
    expect(exportView(target, 5_000, { Version: '2012-10-17' }).action).toMatchObject({
      policy: { Version: '2012-10-17' },
    });
    expect(exportView(target, 5_000).action).not.toHaveProperty('policy');
  });

  test.each(verificationCodes.filter((code) => checks[code].actor === 'tenant'))(
    'has words for what the tenant must do: %s',
    (code) => {
      const { action } = exportView(bucket({ state: 'validating', fault: verificationFault(code) }), 5_000);
      expect(action?.who).toBe('tenant');
      expect(action?.what.length).toBeGreaterThan(20);
    },
  );
});

describe('the policy to paste', () => {
  test('allows the service with the external id for a stream', () => {
    const found = policyToPaste(
      stream({ state: 'validating', fault: verificationFault('OpenWithoutExternalId') }),
      operator,
    );
    expect(found).toMatchObject({
      document: 'trustPolicy',
      statement: { Sid: 'AssumedByTheExporter', Principal: { AWS: 'arn:aws:iam::999988887777:root' } },
      whole: { Version: '2012-10-17' },
    });
    expect(found?.whole.Statement).toContainEqual(found?.statement);
    expect(JSON.stringify(found)).toContain(externalId);
  });

  test("names the tenant's own delivery role for a bucket, whatever the record says", () => {
    const changed = bucket({ fault: verificationFault('BucketNotWritable') });
    const foreign = { ...changed.destination, deliveryRoleArn: 'arn:aws:iam::999988887777:role/another' };
    const found = policyToPaste({ ...changed, destination: foreign }, operator);
    expect(found).toMatchObject({ document: 'bucketPolicy', statement: { Sid: 'WriteObjects' } });
    expect(JSON.stringify(found)).toContain(deliveryRoleArn);
    expect(JSON.stringify(found)).not.toContain('role/another');
  });

  test('is missing if no policy is wrong', () => {
    expect(policyToPaste(stream(), operator)).toBeUndefined();
    expect(policyToPaste(bucket({ fault: verificationFault('BucketMissing') }), operator)).toBeUndefined();
    const none = stream({ destination: { kind: 'none' }, fault: verificationFault('BucketClosed') });
    expect(policyToPaste(none, operator)).toBeUndefined();
  });
});
