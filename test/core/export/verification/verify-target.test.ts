import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AwsCredentialIdentity } from '@smithy/types';
import type { Probe } from '../../../../core/export/kinds/probe.ts';
import { stsClient, type TenantRole } from '../../../../core/export/kinds/role/assumed-role-client.ts';
import { RoleProbe } from '../../../../core/export/kinds/role/role-probe.ts';
import { StreamProbe } from '../../../../core/export/kinds/stream/stream-probe.ts';
import { routeOf } from '../../../../core/export/targets/target.ts';
import type { StreamDestination } from '../../../../core/export/kinds/stream/record.ts';
import type { PolicyDocument } from '../../../../core/export/kinds/policies/policy-document.ts';
import { answeringJson, refusing, VerificationWorld } from '../../../support/verification-world.ts';

let world: VerificationWorld;
beforeAll(async () => {
  world = await VerificationWorld.start();
});
afterEach(() => world.faults.clear());
afterAll(async () => await world.close());

const records = async (name: string) =>
  (await world.exports.read(name)).map(({ partitionKey, data }) => ({ partitionKey, data }));

/** The test, with another probe of streams. */
const testingBy = (stream: Probe) => ({ deps: { probes: { ...world.deps.probes, stream } } });

/** The trust policy with other conditions on the external id. */
const trusting = (destination: StreamDestination, condition: object): void =>
  world.putRole(destination, ({ trustPolicy, permissionPolicy }) => {
    const [statement] = trustPolicy.Statement;
    const changed = { ...statement, Condition: condition };
    return { trustPolicy: { ...trustPolicy, Statement: [changed] } as PolicyDocument, permissionPolicy };
  });

const open = (destination: StreamDestination): void => trusting(destination, {});

const live = async () => {
  const made = await world.streamTarget();
  await world.goLive(made.ref);
  return made;
};

/** What is wrong, the code that says so, and how it comes about. */
type Spoiled = [string, string, (destination: StreamDestination) => void];

describe('a stream', () => {
  test('goes live when its tenant follows the instructions, and has one record without events', async () => {
    const { ref, name } = await world.streamTarget();
    expect(await world.tested(ref)).toEqual({ outcome: 'verified', state: 'active', isVerified: true });
    expect(await records(name)).toEqual([{ partitionKey: 'omi-verification', data: '{"events":[]}' }]);
  });

  test.each<Spoiled>([
    ['asks for no external id', 'Verification.OpenWithoutExternalId', open],
    [
      'asks for it only if there is one',
      'Verification.OpenWithoutExternalId',
      (destination) =>
        trusting(destination, { StringEqualsIfExists: { 'sts:ExternalId': destination.externalId } }),
    ],
    [
      'takes any external id',
      'Verification.OpenToAnyExternalId',
      (destination) => trusting(destination, { StringLike: { 'sts:ExternalId': '*' } }),
    ],
    ...['begins', 'ends', 'begins and ends'].map((how): Spoiled => [
      `takes any external id that ${how} as the agreed one`,
      'Verification.OpenToAnyExternalId',
      (destination) => {
        const [begin, end] = [destination.externalId.slice(0, 6), destination.externalId.slice(-6)];
        const pattern = { begins: `${begin}*`, ends: `*${end}` }[how] ?? `${begin}*${end}`;
        trusting(destination, { StringLike: { 'sts:ExternalId': pattern } });
      },
    ]),
    [
      'takes the external id in other letters',
      'Verification.OpenToAnyExternalId',
      (destination) =>
        trusting(destination, { StringEqualsIgnoreCase: { 'sts:ExternalId': destination.externalId } }),
    ],
    [
      'does not trust the service',
      'AccessDenied',
      (destination) => trusting(destination, { StringEquals: { 'sts:ExternalId': 'of somebody else' } }),
    ],
    ['is gone', 'AccessDenied', ({ roleArn }) => world.exports.cloud.roles.remove(roleArn)],
  ])('stays in validation, and nothing is written, if its role %s', async (_, code, spoil) => {
    const { ref, name, destination } = await world.streamTarget();
    spoil(destination);
    expect(await world.tested(ref)).toEqual({
      outcome: 'failed',
      state: 'validating',
      isVerified: false,
      code,
      actor: 'tenant',
    });
    expect(await records(name)).toEqual([]);
    world.putRole(destination);
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active', code: undefined });
  });

  test('stays in validation if the role may not write to it', async () => {
    const { ref, destination } = await world.streamTarget();
    world.putRole(destination, ({ trustPolicy, permissionPolicy }) => {
      const [statement] = permissionPolicy.Statement;
      const elsewhere = { ...statement, Resource: `${destination.streamArn}-of-others` };
      return {
        trustPolicy,
        permissionPolicy: { ...permissionPolicy, Statement: [elsewhere] } as PolicyDocument,
      };
    });
    expect(await world.tested(ref)).toMatchObject({ state: 'validating', code: 'AccessDeniedException' });
  });

  test('becomes active with a warning while it spreads records itself', async () => {
    const { ref } = await world.streamTarget();
    // The emulator knows no such streams.
    const spreading = answeringJson({
      DescribeStreamSummary: { StreamDescriptionSummary: { RecordDistributionStrategy: 'AUTO' } },
      PutRecords: {
        FailedRecordCount: 0,
        Records: [{ SequenceNumber: '1', ShardId: 'shardId-000000000000' }],
      },
    });
    await world.answering('kinesis', spreading, async () => {
      expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active' });
    });
    expect((await world.target(ref)).warning).toMatch(/RecordDistributionStrategy AUTO/);
    await world.tested(ref);
    expect((await world.target(ref)).warning).toBeUndefined();
  });

  test('stays in validation if it is gone', async () => {
    const { ref, destination } = await world.streamTarget();
    const gone = { ...destination, streamArn: `${destination.streamArn}-gone` };
    world.putRole(gone);
    await world.register(ref, gone);
    expect(await world.tested(ref)).toMatchObject({ state: 'validating', code: 'ResourceNotFoundException' });
  });

  test('stays in validation if its key is disabled', async () => {
    const { ref } = await world.streamTarget();
    const disabled = refusing('kinesis', ['PutRecords'], ['KMSDisabledException', 'The key is disabled.']);
    const tested = await world.answering('kinesis', disabled, async () => await world.tested(ref));
    expect(tested).toMatchObject({ state: 'validating', code: 'KMSDisabledException', actor: 'tenant' });
  });

  test('fails the test when it refuses one record of an accepted call', async () => {
    const { ref, name } = await world.streamTarget();
    world.faults.add({ service: 'kinesis', fault: 'partial', resource: name });
    expect(await world.tested(ref)).toMatchObject({
      outcome: 'not-now',
      state: 'validating',
      isVerified: false,
    });
  });

  test('is tested with its current permissions, whatever was assumed before', async () => {
    const { ref, destination } = await live();
    world.exports.cloud.roles.remove(destination.roleArn);
    expect(await world.tested(ref)).toMatchObject({ outcome: 'failed', code: 'AccessDenied' });
  });

  test('is reported again when it fails as before', async () => {
    const { ref, destination } = await world.streamTarget();
    open(destination);
    await world.verify(ref, { now: 1 });
    const { fault: first } = await world.target(ref);
    await world.verify(ref, { now: 2 });
    const { fault: second } = await world.target(ref);
    expect(first?.foundAt).toBe(1);
    expect(second).toEqual({ ...first, foundAt: 2 });
  });
});

describe('a test that cannot be made', () => {
  test.each([
    ['STS throttles', { service: 'sts', fault: 'throttle' }],
    ['STS is unavailable', { service: 'sts', fault: 'unavailable' }],
    ['the stream throttles', { service: 'kinesis', operation: 'PutRecords', fault: 'throttle' }],
  ] as const)('requires nobody to act and is repeated when %s', async (_, fault) => {
    const waiting = await world.streamTarget();
    const { ref } = await live();
    world.faults.add(fault);
    expect(await world.verify(waiting.ref)).toMatchObject({
      outcome: 'not-now',
      againAt: expect.any(Number),
    });
    expect(await world.tested(ref)).toMatchObject({ outcome: 'not-now', state: 'active', code: undefined });
    expect(await world.target(waiting.ref)).not.toHaveProperty('fault');
    world.faults.clear();
    expect(await world.tested(waiting.ref)).toMatchObject({ outcome: 'verified', state: 'active' });
  });

  test('proves nothing if STS is unavailable, because that is no refusal', async () => {
    class Interrupted extends RoleProbe {
      override async assume(role: TenantRole): Promise<AwsCredentialIdentity> {
        const credentials = await super.assume(role);
        world.faults.add({ service: 'sts', fault: 'unavailable' });
        return credentials;
      }
    }
    const { ref, destination } = await world.streamTarget();
    open(destination);
    const verification = await world.verify(ref, testingBy(new StreamProbe(new Interrupted(stsClient()))));
    expect(verification.outcome).toBe('not-now');
    expect(await world.target(ref)).toMatchObject({ state: 'validating' });
  });
});

describe('a live stream', () => {
  test.each<[string, string, (destination: StreamDestination, name: string) => void]>([
    ['its role is gone', 'AccessDenied', ({ roleArn }) => world.exports.cloud.roles.remove(roleArn)],
    [
      'that is gone',
      'ResourceNotFoundException',
      (__, resource) => world.faults.add({ service: 'kinesis', fault: 'not-found', resource }),
    ],
  ])('is parked, as by the exporter, if %s', async (_, code, spoil) => {
    const { ref, name, destination } = await live();
    spoil(destination, name);
    expect(await world.tested(ref)).toMatchObject({
      state: 'parked',
      code,
      actor: 'tenant',
      isVerified: true,
    });
  });

  test('becomes active when a test passes after it was idle and parked', async () => {
    const { ref, destination } = await live();
    world.exports.cloud.roles.remove(destination.roleArn);
    expect(await world.tested(ref)).toMatchObject({ state: 'parked', code: 'AccessDenied' });
    world.putRole(destination);
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active', code: undefined });
  });

  test.each<[string, object]>([
    ['without an external id', {}],
    ['with any external id', { StringLike: { 'sts:ExternalId': '*' } }],
  ])('is stopped while others can assume its role %s', async (_, condition) => {
    const { ref, destination } = await live();
    trusting(destination, condition);
    expect(await world.tested(ref)).toMatchObject({
      state: 'validating',
      isVerified: false,
      actor: 'tenant',
    });
    expect(routeOf(await world.target(ref), '0/2')).toBe('queue');
    world.putRole(destination);
    expect(await world.tested(ref)).toMatchObject({ state: 'active', isVerified: true, code: undefined });
  });

  test('is stopped also when it is parked', async () => {
    const { ref, destination } = await live();
    await world.targets.transition(await world.target(ref), 'park', Date.now());
    open(destination);
    expect(await world.tested(ref)).toMatchObject({ state: 'validating' });
  });

  test('stays paused, whatever the test finds', async () => {
    const { ref, destination } = await live();
    await world.targets.transition(await world.target(ref), 'pause', Date.now());
    open(destination);
    const code = 'Verification.OpenWithoutExternalId';
    expect(await world.tested(ref)).toMatchObject({ state: 'paused', code, isVerified: false });
    const resume = async () => await world.targets.transition(await world.target(ref), 'resume', Date.now());
    expect(await resume()).toBe(false);
    world.putRole(destination);
    expect(await world.tested(ref)).toMatchObject({ state: 'paused', code: undefined, isVerified: true });
    expect(await resume()).toBe(true);
  });
});

describe('a target whose destination changes during its test', () => {
  test('is not verified by the test of the old one', async () => {
    const { ref, destination } = await world.streamTarget();
    const { stream } = world.deps.probes;
    const prove: Probe['prove'] = async (claim) => {
      const warning = await stream.prove(claim);
      await world.register(ref, { ...destination, lanes: 3 });
      return warning;
    };
    expect(await world.verify(ref, testingBy({ prove }))).toEqual({
      outcome: 'changed',
      againAt: expect.any(Number),
    });
    const target = await world.target(ref);
    expect(target).toMatchObject({ state: 'validating' });
    expect(target).not.toHaveProperty('verifiedAt');
    expect(await world.tested(ref)).toMatchObject({ outcome: 'verified', state: 'active' });
  });

  test.each([
    ['live', live],
    ['in validation', async () => await world.streamTarget()],
  ])('is not reported as faulty because of the old destination, which was %s', async (_, make) => {
    const { ref, destination, name } = await make();
    const { stream } = world.deps.probes;
    const prove: Probe['prove'] = async (claim) => {
      world.faults.add({ service: 'kinesis', fault: 'not-found', resource: name });
      await world.register(ref, { ...destination, lanes: 3 });
      return await stream.prove(claim);
    };
    expect(await world.verify(ref, testingBy({ prove }))).toEqual({
      outcome: 'changed',
      againAt: expect.any(Number),
    });
    expect(await world.target(ref)).not.toHaveProperty('fault');
  });
});

describe('the test of a target', () => {
  test('is skipped when its kind is none, or when it is missing', async () => {
    const { ref } = await world.streamTarget();
    await world.register(ref, { kind: 'none' });
    expect(await world.verify(ref)).toEqual({ outcome: 'nothing' });
    expect(await world.verify({ ...ref, category: 'log' })).toEqual({ outcome: 'nothing' });
  });

  test('fails for a malformed record, which does not count as missing', async () => {
    const { ref } = await world.streamTarget();
    const Item = { pk: `tenant#${ref.tenantId}`, sk: 'target#public', destination: { kind: 'stream' } };
    await world.exports.dynamodb.send(new PutCommand({ TableName: 'tenants', Item }));
    await expect(world.verify(ref)).rejects.toMatchObject({ name: 'MalformedTarget' });
  });
});
