import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { stsClient } from '../../../../../core/export/kinds/role/assumed-role-client.ts';
import { LaneWatermarks } from '../../../../../core/export/delivery/lane-watermark-store.ts';
import { BucketProbe } from '../../../../../core/export/kinds/probes.ts';
import { BucketClient, type OpenBucket } from '../../../../../core/export/kinds/bucket/bucket-client.ts';
import { GivenUpEvents } from '../../../../../core/export/targets/given-up-store.ts';
import { describeTargetStatus } from '../../../../../core/export/targets/target-status.ts';
import { routeOf } from '../../../../../core/export/targets/target.ts';
import type { BucketDestination } from '../../../../../core/export/kinds/bucket/record.ts';
import { policy } from '../../../../../core/export/kinds/policies/policy-document.ts';
import type { AwsRequest } from '../../../../../tools/local/aws/endpoint/http.ts';
import * as services from '../../../../../tools/local/aws/protocols/services.ts';
import { until } from '../../../../support/waiting.ts';
import { refusing, VerificationWorld } from '../../../../support/verification-world.ts';
import { trustPolicyOf } from '../../../../support/trust-policy.ts';

const everything = policy({ Sid: 'All', Effect: 'Allow', Action: 's3:*', Resource: '*' });

let world: VerificationWorld;
beforeAll(async () => {
  world = await VerificationWorld.start();
});
afterEach(() => world.faults.clear());
afterAll(async () => await world.close());

const live = async () => {
  const made = await world.bucketTarget();
  await world.goLive(made.ref);
  return made;
};

const disabledKey = ['KMS.DisabledException', 'The key is disabled.'] as [string, string];
const deniedKey = ['AccessDenied', 'No policy allows the kms:GenerateDataKey action'] as [string, string];

describe('a bucket', () => {
  test('is tested as Firehose writes: with the delivery role, with the key, for its owner', async () => {
    const { ref, destination } = await world.bucketTarget();
    const requests: AwsRequest[] = [];
    const seen = refusing('s3', [], ['', '']);
    await world.answering(
      's3',
      (request) => {
        requests.push(request);
        return seen(request);
      },
      async () => await world.verify(ref),
    );
    const writes = requests.filter((request) => services.s3.describe(request).operation === 'PutObject');
    expect(writes.map((request) => services.s3.describe(request).resources)).toEqual([
      [`${destination.bucket}/omi/last-check.txt`],
      [`${destination.bucket}/omi/ownership-${ref.tenantId}-log.txt`],
    ]);
    for (const { headers } of writes)
      expect(headers).toMatchObject({
        'x-amz-server-side-encryption': 'aws:kms',
        'x-amz-server-side-encryption-aws-kms-key-id': destination.kmsKeyArn,
        'x-amz-acl': 'bucket-owner-full-control',
      });
    expect(world.exports.callsOf('AssumeRole', destination.deliveryRoleArn)).toBe(1);
  });

  test.each<[string, string, string, { exists?: boolean; keyRegion?: string }]>([
    ['does not exist', 'Verification.BucketMissing', 'tenant', { exists: false }],
    [
      'is in another region than its key',
      'Verification.BucketElsewhere',
      'tenant',
      { keyRegion: 'eu-west-1' },
    ],
  ])('stays in validation if it %s', async (_, code, actor, options) => {
    const { ref } = await world.bucketTarget(options);
    expect(await world.tested(ref)).toEqual({
      outcome: 'failed',
      state: 'validating',
      isVerified: false,
      code,
      actor,
    });
    expect(await world.target(ref)).not.toHaveProperty('ownership');
  });

  test.each([
    ['HeadBucket', 'Verification.BucketClosed'],
    ['PutObject', 'Verification.BucketNotWritable'],
  ])('stays in validation if its policy refuses %s', async (operation, code) => {
    const { ref } = await world.bucketTarget();
    world.faults.add({ service: 's3', operation, fault: 'access-denied' });
    expect(await world.tested(ref)).toMatchObject({ state: 'validating', code, actor: 'tenant' });
  });

  test.each([
    ['is disabled', disabledKey, 400],
    ['may not be used', deniedKey, 403],
  ])('stays in validation if its key %s', async (_, error, status) => {
    const { ref } = await world.bucketTarget();
    const s3 = refusing('s3', ['PutObject'], error, status);
    const tested = await world.answering('s3', s3, async () => await world.tested(ref));
    expect(tested).toMatchObject({
      state: 'validating',
      code: 'Verification.BucketKeyNotUsable',
      actor: 'tenant',
    });
  });

  test.each<[string, (destination: BucketDestination) => void]>([
    ['is not there', ({ deliveryRoleArn }) => world.exports.cloud.roles.remove(deliveryRoleArn)],
    [
      'does not trust the service',
      ({ deliveryRoleArn: arn }) =>
        world.exports.cloud.roles.put({ arn, trustPolicy: trustPolicyOf({ principal: '111122223333' }) }),
    ],
  ])('requires the operator to act if its delivery role %s', async (_, spoil) => {
    const { ref, destination } = await world.bucketTarget();
    spoil(destination);
    expect(await world.tested(ref)).toMatchObject({
      state: 'validating',
      code: 'Verification.DeliveryRoleNotUsable',
      actor: 'operator',
    });
  });

  test('may have dots in its name', async () => {
    const { ref } = await world.bucketTarget({ bucket: 'events.example.com' });
    expect(await world.tested(ref)).toMatchObject({ code: 'Verification.OwnershipUnproven' });
  });

  test('cannot be reached with the delivery role of another tenant', async () => {
    const other = await world.bucketTarget();
    const { ref, destination } = await world.bucketTarget();
    const { deliveryRoleArn } = other.destination;
    await world.register(ref, { ...destination, deliveryRoleArn });
    expect(await world.tested(ref)).toMatchObject({ code: 'Provisioning.ForeignDeliveryRole' });
    expect(world.exports.callsOf('AssumeRole', deliveryRoleArn)).toBe(0);
  });

  test.each([
    ['STS throttles', { service: 'sts', fault: 'throttle' }],
    ['S3 throttles', { service: 's3', fault: 'throttle' }],
    ['S3 is unavailable', { service: 's3', operation: 'PutObject', fault: 'unavailable' }],
  ] as const)('is not reported as faulty while %s', async (_, fault) => {
    const { ref } = await world.bucketTarget();
    world.faults.add(fault);
    expect(await world.verify(ref)).toMatchObject({ outcome: 'not-now', againAt: expect.any(Number) });
    expect(await world.target(ref)).not.toHaveProperty('fault');
  });

  test.each([
    ['KMS.KMSInternalException', 500],
    ['KMS.ThrottlingException', 400],
    ['KMS.LimitExceededException', 400],
    ['SlowDown', 403],
    ['TooManyRequests', 429],
  ])('is not reported as faulty for a service in trouble (%s, %i)', async (code, status) => {
    const { ref } = await world.bucketTarget();
    const s3 = refusing('s3', ['PutObject'], [code, 'Try again.'], status);
    const verified = await world.answering('s3', s3, async () => await world.verify(ref));
    expect(verified.outcome).toBe('not-now');
  });
});

describe('a live bucket', () => {
  test('is tested with a small object, and its owner is not asked again', async () => {
    const { ref } = await live();
    const challenge = await world.challengeOf(ref);
    const before = await world.read(ref, 'omi/last-check.txt');
    expect(await world.verify(ref, { now: Date.UTC(2030, 0) })).toEqual({ outcome: 'verified' });
    expect(await world.challengeOf(ref)).toBe(challenge);
    const after = await world.read(ref, 'omi/last-check.txt');
    expect(after).not.toBe(before);
    expect(after).toContain('2030-01-01T00:00:00.000Z');
  });

  test('continues if it went live before proofs existed', async () => {
    const { ref } = await world.bucketTarget();
    await world.readiness.verified(await world.target(ref), Date.now());
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active' });
  });

  test('is stopped while its key is disabled, because Firehose would lose events', async () => {
    const { ref } = await live();
    const s3 = refusing('s3', ['PutObject'], disabledKey);
    const tested = await world.answering('s3', s3, async () => await world.tested(ref));
    expect(tested).toMatchObject({ state: 'validating', isVerified: false });
    expect(routeOf(await world.target(ref), '0/1')).toBe('queue');
    expect(await world.tested(ref)).toMatchObject({ state: 'active', isVerified: true, code: undefined });
  });

  test('must be proven again after it was gone, because another owner may have taken its name', async () => {
    const { ref, destination } = await live();
    const proof = await world.challengeOf(ref);
    world.faults.add({ service: 's3', fault: 'not-found', resource: destination.bucket });
    expect(await world.tested(ref)).toMatchObject({
      state: 'validating',
      code: 'Verification.BucketMissing',
    });
    world.faults.clear();
    expect(await world.tested(ref, proof)).toMatchObject({ code: 'Verification.WrongProof' });
    expect(await world.tested(ref, await world.challengeOf(ref))).toMatchObject({ state: 'active' });
  });

  test('must be proven again after it was gone while paused, before events flow', async () => {
    const { ref, destination } = await live();
    await world.targets.transition(await world.target(ref), 'pause', Date.now());
    world.faults.add({ service: 's3', fault: 'not-found', resource: destination.bucket });
    expect(await world.tested(ref)).toMatchObject({ state: 'paused', code: 'Verification.BucketMissing' });
    world.faults.clear();
    expect(await world.tested(ref)).toMatchObject({ isVerified: false });
    expect(await world.targets.transition(await world.target(ref), 'resume', Date.now())).toBe(false);
    expect(await world.tested(ref, await world.challengeOf(ref))).toMatchObject({ isVerified: true });
    expect(await world.targets.transition(await world.target(ref), 'resume', Date.now())).toBe(true);
  });

  test.each([
    ['by its policy', undefined],
    ['by nothing, as in an earlier version', everything],
  ])(
    'gets nothing after another account took its name, with a role that is limited %s',
    async (_, rolePolicy) => {
      const { ref, destination } = await live();
      await world.takeOver(destination, '444455556666');
      world.putDeliveryRole(destination, rolePolicy);
      expect(await world.tested(ref)).toMatchObject({
        outcome: 'failed',
        state: 'validating',
        isVerified: false,
        actor: 'tenant',
      });
      const { fault } = await world.target(ref);
      expect(fault?.reason).toContain('does not belong to the account 111122223333');
      expect(await world.objectsIn(destination)).toBe(0);
      expect(routeOf(await world.target(ref), '0/1')).toBe('queue');
    },
  );

  test('names its owner in every call to S3', async () => {
    const { ref } = await live();
    const owners: unknown[] = [];
    const seen = refusing('s3', [], ['', '']);
    await world.answering(
      's3',
      (request) => {
        owners.push(request.headers['x-amz-expected-bucket-owner']);
        return seen(request);
      },
      async () => await world.verify(ref),
    );
    expect(new Set(owners)).toEqual(new Set(['111122223333']));
  });

  test('may be in another account than its key, if that was agreed on', async () => {
    const { ref, destination } = await world.bucketTarget();
    const bucketOwner = '444455556666';
    await world.takeOver(destination, bucketOwner);
    expect(await world.tested(ref)).toMatchObject({ code: 'Verification.BucketClosed' });
    const agreed = { ...destination, bucketOwner };
    world.putDeliveryRole(agreed);
    await world.register(ref, agreed);
    expect(await world.tested(ref)).toMatchObject({ code: 'Verification.OwnershipUnproven' });
  });

  test("keeps receiving events when only the test's role is missing, because Firehose may have one", async () => {
    const { ref, destination } = await live();
    world.exports.cloud.roles.remove(destination.deliveryRoleArn);
    expect(await world.tested(ref)).toMatchObject({ state: 'parked', isVerified: true });
    expect(routeOf(await world.target(ref), '0/1')).toBe('deliver');
  });

  test('is not reported as faulty after its target got another destination', async () => {
    const { ref, destination } = await live();
    const buckets = new (class extends BucketClient {
      override async open(tested: BucketDestination): Promise<OpenBucket> {
        world.faults.add({ service: 's3', fault: 'not-found', resource: tested.bucket });
        await world.register(ref, { ...destination, bucket: 'another-bucket' });
        return await super.open(tested);
      }
    })(stsClient());
    const { readiness, reports } = world;
    const bucket = new BucketProbe({ buckets, readiness, reports });
    expect(await world.verify(ref, { deps: { probes: { ...world.deps.probes, bucket } } })).toEqual({
      outcome: 'changed',
      againAt: expect.any(Number),
    });
    expect(await world.target(ref)).not.toHaveProperty('fault');
  });
});

describe('what Firehose wrote under errors/', () => {
  const hour = (time: number) => new Date(time).toISOString().slice(0, 13).replace(/[-T]/g, '/');
  const hourMs = 3_600_000;
  const thisHour = () => Math.floor(Date.now() / hourMs) * hourMs;

  type Made = Awaited<ReturnType<typeof live>>;
  const keyOf = (
    { destination }: Made,
    { at = Date.now(), kind = 'processing-failed', category = 'log', stream = '' } = {},
  ) => `errors/${kind}/${hour(at)}/${category}/${stream || destination.deliveryStreamName}-1-${randomUUID()}`;
  const givenUpOf = async ({ ref }: Made) =>
    describeTargetStatus(await world.target(ref), Date.now()).givenUp?.losses ?? [];

  test('is reported as given up once, with the time range of the replay that brings it back', async () => {
    const made = await live();
    const before = thisHour();
    await world.put(made.destination, keyOf(made, { at: before - 3 * hourMs }));
    await world.put(made.destination, keyOf(made, { kind: 'another-failed' }));
    expect(await world.verify(made.ref)).toEqual({ outcome: 'verified' });
    const [found, ...others] = await givenUpOf(made);
    expect(others).toEqual([]);
    expect(found?.reason).toContain('errors/');
    expect(found).not.toHaveProperty('events');
    expect(Date.parse(found?.from ?? '')).toBeLessThan(before - 3 * hourMs);
    expect(Date.parse(found?.from ?? '')).toBeGreaterThan(before - 4 * hourMs);
    expect(Date.parse(found?.to ?? '')).toBeGreaterThan(Date.now() - 60_000);
    expect((await world.target(made.ref)).state).toBe('active');

    await world.verify(made.ref);
    expect(await givenUpOf(made)).toEqual([found]);
    // S3's times are in whole seconds: one of the objects is newer.
    await until(async () => {
      await world.put(made.destination, keyOf(made));
      await world.verify(made.ref);
      return (await givenUpOf(made)).length > 1;
    });
  });

  /** As Firehose writes it, for records of so many events. */
  const errorObject = (...records: number[]) =>
    records
      .map((length) => Buffer.from(`${JSON.stringify({ events: Array.from({ length }, () => ({})) })}\n`))
      .map((data) => `${JSON.stringify({ attemptsMade: 4, rawData: data.toString('base64') })}\n`)
      .join('');

  test('is not counted as in the bucket until it is replayed', async () => {
    const made = await live();
    const nextProgress = { accepted: 10, delivered: 10, parked: 0 };
    await new LaneWatermarks(world.exports.dynamodb, 'tenants').counted(made.ref, nextProgress);
    const inBucket = async () => describeTargetStatus(await world.target(made.ref), Date.now()).inBucket;
    expect(await inBucket()).toBe(10);
    await world.put(made.destination, keyOf(made), errorObject(2, 1));
    await world.put(made.destination, keyOf(made, { kind: 'another-failed' }), errorObject(1));
    await world.verify(made.ref);
    const [found] = await givenUpOf(made);
    expect(found).toMatchObject({ events: 4 });
    expect(await inBucket()).toBe(6);
    const range = { from: Date.parse(found?.from ?? ''), to: Date.parse(found?.to ?? '') };
    await new GivenUpEvents(world.exports.dynamodb, 'tenants').replayed(made.ref, range);
    expect(await inBucket()).toBe(10);
  });

  test('is no longer reported after a replay of that range', async () => {
    const made = await live();
    await world.put(made.destination, keyOf(made));
    await world.verify(made.ref);
    const [{ from, to } = { from: '', to: '' }] = await givenUpOf(made);
    const reports = new GivenUpEvents(world.exports.dynamodb, 'tenants');
    await reports.replayed(made.ref, { from: Date.parse(from), to: Date.parse(to) });
    expect(await givenUpOf(made)).toEqual([]);
    await world.verify(made.ref);
    expect(await givenUpOf(made)).toEqual([]);
  });

  test.each<[string, Parameters<typeof keyOf>[1]]>([
    ['another category', { category: 'public' }],
    ['another delivery stream', { stream: 'omi-test-another-log' }],
    ['a time before which no events are kept', { at: Date.now() - 15 * 24 * hourMs }],
  ])('is not reported if it is of %s', async (_, of) => {
    const made = await live();
    await world.put(made.destination, keyOf(made, of));
    await world.put(made.destination, 'errors/a-file-of-the-tenant');
    await world.verify(made.ref);
    expect(await givenUpOf(made)).toEqual([]);
  });

  test('is looked for again by the next test when the bucket cannot be listed, without stopping it', async () => {
    const made = await live();
    await world.put(made.destination, keyOf(made));
    world.faults.add({ service: 's3', operation: 'ListObjectsV2', fault: 'access-denied' });
    expect(await world.tested(made.ref)).toMatchObject({ outcome: 'verified', state: 'active' });
    expect(await givenUpOf(made)).toEqual([]);
    world.faults.clear();
    await world.verify(made.ref);
    expect(await givenUpOf(made)).toHaveLength(1);
  });

  /** @returns what is named if S3 lists an object in this way, and how many objects were read */
  async function listed(list: string, content: string) {
    const made = await live();
    const key = keyOf(made, { at: thisHour() - hourMs });
    const page = `<ListBucketResult>${list}<Contents><Key>${key}</Key><LastModified>${new Date(thisHour()).toISOString()}</LastModified>${content}</Contents></ListBucketResult>`;
    let reads = 0;
    const folders =
      '<ListBucketResult><CommonPrefixes><Prefix>errors/processing-failed/</Prefix></CommonPrefixes></ListBucketResult>';
    const s3 = refusing('s3', [], ['', '']);
    await world.answering(
      's3',
      async (request) => {
        const { operation } = services.s3.describe(request);
        if (operation === 'GetObject') reads += 1;
        if (operation !== 'ListObjectsV2') return await s3(request);
        const body = request.url.includes('delimiter=') ? folders : page;
        return { status: 200, headers: { 'content-type': 'application/xml' }, body };
      },
      async () => await world.verify(made.ref, { now: thisHour() + 2 * hourMs }),
    );
    const [found] = await givenUpOf(made);
    return { found, reads };
  }

  test('is reported up to now, without a count, when it exceeds one listing', async () => {
    const { found, reads } = await listed('<IsTruncated>true</IsTruncated>', '<Size>3</Size>');
    expect(Date.parse(found?.to ?? '')).toBe(thisHour() + 2 * hourMs + 1_000);
    expect([found?.events, reads]).toEqual([undefined, 0]);
  });

  test('is not counted when it is too much to read', async () => {
    const { found, reads } = await listed('', '<Size>70000000</Size>');
    expect([found?.events, reads]).toEqual([undefined, 0]);
    expect((await listed('', '<Size>7</Size>')).reads).toBe(1);
  });
});
