import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RateLimiter } from '../../../../../../core/aws/rate-limiter.ts';
import {
  controlPlaneClient,
  DeliveryStreamClient,
} from '../../../../../../core/export/kinds/bucket/provisioning/delivery-stream-client.ts';
import { TargetReadiness } from '../../../../../../core/export/targets/target-readiness-store.ts';
import { targetKey } from '../../../../../../core/export/targets/target-item.ts';
import {
  isAsWanted,
  wantedDeliveryStream,
} from '../../../../../../core/export/kinds/bucket/provisioning/delivery-stream.ts';
import type { Destination } from '../../../../../../core/export/kinds/records.ts';
import type { TargetRef } from '../../../../../../core/events/target-ref.ts';
import type { ProvisioningDeps } from '../../../../../../core/export/kinds/bucket/provisioning/provision-target.ts';
import {
  bucketOf,
  keyArn,
  muchLater,
  nameOf,
  ProvisioningWorld,
  roleOf,
  streamDestination,
} from '../../../../../support/provisioning-world.ts';
import { propertyRuns } from '../../../../../support/property-runs.ts';

let world: ProvisioningWorld;
beforeAll(async () => {
  world = await ProvisioningWorld.start();
});
afterEach(() => world.reset());
afterAll(async () => await world.close());

const s3Of = async (ref: TargetRef) =>
  (await world.described(ref))?.Destinations?.[0]?.ExtendedS3DestinationDescription;

async function provisioned(...bucket: Parameters<ProvisioningWorld['bucketTarget']>): Promise<TargetRef> {
  const ref = await world.bucketTarget(...bucket);
  await world.provision(ref);
  return ref;
}

/** Registers what comes next a moment later, as a person would. */
const register = async (ref: TargetRef, destination: Destination) =>
  await world.deps.targets.register(ref, destination, Date.now());

describe('a bucket', () => {
  test('gets its delivery stream, and its record states since when', async () => {
    const ref = await world.bucketTarget();
    expect(await world.provision(ref)).toEqual(['created', 'provisioned']);
    expect(await world.described(ref)).toMatchObject({
      DeliveryStreamStatus: 'ACTIVE',
      DeliveryStreamType: 'DirectPut',
    });
    expect(await s3Of(ref)).toEqual({
      BucketARN: 'arn:aws:s3:::events-of-example',
      RoleARN: roleOf(ref),
      Prefix: '!{timestamp:yyyy/MM/dd/HH}/log/',
      ErrorOutputPrefix: 'errors/!{firehose:error-output-type}/!{timestamp:yyyy/MM/dd/HH}/log/',
      BufferingHints: { IntervalInSeconds: 300, SizeInMBs: 5 },
      CloudWatchLoggingOptions: {
        Enabled: true,
        LogGroupName: '/aws/kinesisfirehose/omi-test',
        LogStreamName: 'errors',
      },
      CompressionFormat: 'UNCOMPRESSED',
      EncryptionConfiguration: { NoEncryptionConfig: 'NoEncryption' },
    });
    expect(await world.tags(ref)).toEqual([{ Key: 'tenantId', Value: ref.tenantId }]);
    expect((await world.target(ref)).provisionedAt).toBeGreaterThan(0);
  });

  test('gets one delivery stream for each category', async () => {
    const ref = await provisioned({}, 'public');
    const log: TargetRef = { ...ref, category: 'log' };
    await register(log, bucketOf(log));
    await world.provision(log);
    expect((await s3Of(ref))?.Prefix).toContain('/public/');
    expect((await s3Of(log))?.Prefix).toContain('/log/');
  });

  test('costs one call when it has its delivery stream', async () => {
    const ref = await provisioned();
    const { provisionedAt } = await world.target(ref);
    const before = world.callsOf('DescribeDeliveryStream', ref);
    expect(await world.provision(ref)).toEqual(['provisioned']);
    expect(world.callsOf('DescribeDeliveryStream', ref)).toBe(before + 1);
    expect((await world.target(ref)).provisionedAt).toBe(provisionedAt);
  });

  test('is buffered as the operator configures, also later', async () => {
    const ref = await provisioned();
    const buffering = { seconds: 60, mebibytes: 64 };
    expect(await world.provision(ref, { buffering })).toEqual(['updated', 'provisioned']);
    expect((await s3Of(ref))?.BufferingHints).toEqual({ IntervalInSeconds: 60, SizeInMBs: 64 });
  });
});

describe('a bucket target', () => {
  test('becomes active when it is provisioned and verified, in either order', async () => {
    const [first, second] = [await world.bucketTarget(), await world.bucketTarget()];
    await world.provision(first);
    expect((await world.target(first)).state).toBe('validating');
    await world.deps.readiness.verified(await world.target(first), 5);
    expect(await world.target(first)).toMatchObject({ state: 'active', verifiedAt: 5 });

    await world.deps.readiness.verified(await world.target(second), 5);
    expect((await world.target(second)).state).toBe('validating');
    await world.provision(second);
    expect((await world.target(second)).state).toBe('active');
  });

  test('becomes active when both happen at the same time', async () => {
    for (const ref of await Promise.all(Array.from({ length: 5 }, async () => await world.bucketTarget()))) {
      const seen = await world.target(ref);
      const { readiness } = world.deps;
      await Promise.all([readiness.verified(seen, 5), readiness.provisioned(seen, 6)]);
      expect((await world.target(ref)).state).toBe('active');
    }
  });

  test('becomes active when it is verified, if it is a stream', async () => {
    const ref = world.newRef();
    await register(ref, streamDestination);
    await world.deps.readiness.verified(await world.target(ref), 5);
    expect((await world.target(ref)).state).toBe('active');
  });

  test('does not become active by a proof of an earlier destination', async () => {
    const ref = await provisioned();
    const seen = await world.target(ref);
    await register(ref, bucketOf(ref, { bucket: 'another-bucket' }));
    expect(await world.deps.readiness.verified(seen, 5)).toBe(false);
    expect(await world.deps.readiness.provisioned(seen, 5)).toBe(false);
    const target = await world.target(ref);
    expect(target.state).toBe('validating');
    expect(target.verifiedAt).toBeUndefined();
    expect(target.provisionedAt).toBeUndefined();
  });

  test('stays active while the same destination is registered again and its delivery stream is compared', async () => {
    const ref = await provisioned();
    await world.deps.readiness.verified(await world.target(ref), 5);
    const { provisionedAt, ...before } = await world.target(ref);
    expect(provisionedAt).toBeGreaterThan(0);
    await world.deps.targets.register(ref, before.destination, muchLater(), ['UserCreatedEvent']);
    expect(await world.target(ref)).toEqual({ ...before, types: ['UserCreatedEvent'] });
    await world.deps.targets.register(ref, before.destination, muchLater());
    expect(await world.target(ref)).toEqual(before);
    expect(await world.provision(ref)).toEqual(['provisioned']);
    expect(await world.target(ref)).toEqual({ ...before, provisionedAt: expect.any(Number) });
  });
});

describe('a new destination', () => {
  test('updates the existing delivery stream of a bucket', async () => {
    const ref = await provisioned();
    await register(ref, bucketOf(ref, { bucket: 'another-bucket', kmsKeyArn: keyArn }));
    expect(await world.provision(ref)).toEqual(['updated', 'provisioned']);
    expect(await s3Of(ref)).toMatchObject({
      BucketARN: 'arn:aws:s3:::another-bucket',
      EncryptionConfiguration: { KMSEncryptionConfig: { AWSKMSKeyARN: keyArn } },
    });

    await register(ref, bucketOf(ref));
    await world.provision(ref);
    expect((await s3Of(ref))?.EncryptionConfiguration).toEqual({ NoEncryptionConfig: 'NoEncryption' });
    expect(world.callsOf('CreateDeliveryStream', ref)).toBe(1);
  });

  test.each<[string, Destination]>([
    ['a stream', streamDestination],
    ['none', { kind: 'none' }],
  ])('deletes the delivery stream, once everything is written, when it is %s', async (_, other) => {
    const ref = await provisioned();
    const now = Date.now();
    await world.deps.targets.register(ref, other, now);
    expect(await world.step(ref, {}, now)).toEqual({
      outcome: 'draining',
      again: true,
      until: now + 120_000 + 300_000,
    });
    expect(await world.provision(ref, {}, muchLater())).toEqual(['deleted', 'nothing']);
    expect(await world.described(ref)).toBeUndefined();
  });

  test('finds its delivery stream, or gets a new one, when it is the bucket again', async () => {
    const ref = await provisioned();
    await register(ref, { kind: 'none' });
    expect((await world.step(ref)).outcome).toBe('draining');
    await register(ref, bucketOf(ref));
    expect(await world.provision(ref)).toEqual(['provisioned']);

    await register(ref, { kind: 'none' });
    expect((await world.step(ref, {}, muchLater())).outcome).toBe('deleted');
    await register(ref, bucketOf(ref));
    expect(await world.provision(ref)).toEqual(['created', 'provisioned']);
  });

  test('needs nothing when it was always a stream', async () => {
    const ref = world.newRef();
    await register(ref, streamDestination);
    expect(await world.step(ref)).toEqual({ outcome: 'nothing' });
  });
});

describe('a removed target', () => {
  const remove = async (ref: TargetRef) =>
    await world.database.send(new DeleteCommand({ TableName: 'tenants', Key: targetKey(ref) }));

  test('has its delivery stream deleted, and no other one', async () => {
    const [ref, other] = [await provisioned(), await provisioned()];
    await remove(ref);
    expect(await world.provision(ref, {}, muchLater())).toEqual(['deleted', 'nothing']);
    expect(await world.described(other)).toMatchObject({ DeliveryStreamStatus: 'ACTIVE' });
  });

  test('has its delivery stream deleted after its creation finished', async () => {
    const ref = await world.bucketTarget();
    await world.step(ref);
    await remove(ref);
    expect(await world.provision(ref, {}, muchLater())).toEqual(['deleted', 'nothing']);
  });

  test('is not confused with a target whose record is malformed', async () => {
    const ref = await provisioned();
    const Item = { ...targetKey(ref), destination: { kind: 'bukket' } };
    await world.database.send(new PutCommand({ TableName: 'tenants', Item }));
    await expect(world.step(ref, {}, muchLater())).rejects.toMatchObject({ name: 'MalformedTarget' });
    expect(await world.described(ref)).toMatchObject({ DeliveryStreamStatus: 'ACTIVE' });
  });
});

describe('a failure', () => {
  test('is written to the record and retried when IAM does not show a role yet', async () => {
    const ref = await world.bucketTarget();
    world.failingArns.add(roleOf(ref));
    expect(await world.step(ref)).toMatchObject({ outcome: 'failed', again: true });
    const { state, fault } = await world.target(ref);
    expect(state).toBe('validating');
    expect(fault).toMatchObject({ actor: 'operator', code: 'Provisioning.RoleNotUsable' });
    expect(fault?.reason).toContain(`unable to assume role ${roleOf(ref)}`);

    world.failingArns.clear();
    expect(await world.provision(ref)).toEqual(['created', 'provisioned']);
    expect((await world.target(ref)).fault).toBeUndefined();
  });

  test('deletes the delivery stream after a failed creation, and creates it again', async () => {
    world.failingArns.add(keyArn);
    const ref = await world.bucketTarget({ kmsKeyArn: keyArn });
    expect((await world.step(ref)).outcome).toBe('created');
    let step = await world.step(ref);
    while (step.outcome === 'settling') step = await world.step(ref);
    expect(step.outcome).toBe('deleted');
    const { state, fault } = await world.target(ref);
    expect(state).toBe('validating');
    expect(fault).toMatchObject({ actor: 'tenant', code: 'Provisioning.KeyNotUsable' });
    expect(fault?.reason).toContain('DISABLED_KMS_KEY');

    world.failingArns.clear();
    expect(await world.provision(ref)).toEqual(['created', 'provisioned']);
    expect((await world.target(ref)).fault).toBeUndefined();
  });

  test('because a role vanished during the creation is retried', async () => {
    const ref = await world.bucketTarget();
    world.vanishing.add(roleOf(ref));
    await world.step(ref);
    while ((await world.described(ref))?.DeliveryStreamStatus === 'CREATING') continue;
    expect((await world.step(ref)).outcome).toBe('deleted');
    expect((await world.target(ref)).fault?.code).toBe('Provisioning.CreationFailed');
    world.reset();
    expect(await world.provision(ref)).toEqual(['created', 'provisioned']);
  });

  test.each(['DescribeDeliveryStream', 'CreateDeliveryStream'])(
    'requires nobody to act when %s is throttled',
    async (operation) => {
      const ref = await world.bucketTarget();
      world.faults.add({ service: 'firehose', operation, fault: 'throttle', times: 1 });
      expect(await world.step(ref)).toMatchObject({
        outcome: 'failed',
        fault: { actor: 'nobody', code: 'Provisioning.NotNow' },
      });
      expect((await world.target(ref)).fault?.reason).toContain('ThrottlingException');
      expect(await world.provision(ref)).toEqual(['created', 'provisioned']);
    },
  );

  test('is retried after a failed update or deletion', async () => {
    const ref = await provisioned();
    await register(ref, bucketOf(ref, { bucket: 'another-bucket' }));
    for (const fault of ['throttle', 'unavailable', 'access-denied', 'not-found'] as const)
      world.faults.add({ service: 'firehose', operation: 'UpdateDestination', fault, times: 1 });
    expect(await world.provision(ref)).toEqual([
      'failed',
      'failed',
      'failed',
      'changed',
      'updated',
      'provisioned',
    ]);
    await register(ref, { kind: 'none' });
    for (const fault of ['throttle', 'access-denied'] as const)
      world.faults.add({ service: 'firehose', operation: 'DeleteDeliveryStream', fault, times: 1 });
    expect(await world.provision(ref, {}, muchLater())).toEqual(['failed', 'failed', 'deleted', 'nothing']);
  });

  test('requires the operator to act when a permission is missing', async () => {
    const ref = await world.bucketTarget();
    world.faults.add({
      service: 'firehose',
      operation: 'CreateDeliveryStream',
      fault: 'access-denied',
      times: 1,
    });
    await world.step(ref);
    expect((await world.target(ref)).fault).toMatchObject({
      actor: 'operator',
      code: 'Provisioning.NotAllowed',
    });
  });

  test('does not affect a target whose delivery stream worked before', async () => {
    const ref = await provisioned();
    await world.deps.readiness.verified(await world.target(ref), 5);
    const before = await world.target(ref);
    world.faults.add({ service: 'firehose', fault: 'throttle', times: 1 });
    expect((await world.step(ref)).outcome).toBe('failed');
    expect(await world.target(ref)).toEqual(before);
  });

  test('keeps what the last test found', async () => {
    const ref = await world.bucketTarget();
    const fault = { actor: 'tenant' as const, code: 'BucketPolicy', reason: 'The bucket is closed.' };
    await world.deps.readiness.notProvisioned(await world.target(ref), fault);
    await world.provision(ref);
    expect((await world.target(ref)).fault).toEqual(fault);
  });
});

describe('a delivery stream of another name', () => {
  const foreign = 'omi-test-of-somebody-else';

  test('is never touched, and the operator is notified', async () => {
    const ref = await world.bucketTarget({ deliveryStreamName: foreign });
    expect(await world.step(ref)).toMatchObject({ outcome: 'refused' });
    expect(await world.target(ref)).toMatchObject({
      state: 'validating',
      fault: { actor: 'operator', code: 'Provisioning.ForeignDeliveryStream' },
    });
    expect(await world.described(ref)).toBeUndefined();
  });

  test('is refused, like the role of another tenant', async () => {
    const ref = await world.bucketTarget({ deliveryRoleArn: roleOf(world.newRef()) });
    expect(await world.step(ref)).toMatchObject({ outcome: 'refused' });
    expect((await world.target(ref)).fault?.code).toBe('Provisioning.ForeignDeliveryRole');
    expect(await world.described(ref)).toBeUndefined();
  });

  test('stops the export when an active target was edited by hand', async () => {
    const ref = await provisioned();
    await world.deps.readiness.verified(await world.target(ref), 5);
    const edited = {
      ...(await world.target(ref)),
      destination: bucketOf(ref, { deliveryStreamName: foreign }),
    };
    await world.database.send(
      new PutCommand({ TableName: 'tenants', Item: { ...targetKey(ref), ...edited } }),
    );
    expect((await world.step(ref)).outcome).toBe('refused');
    expect(await world.target(ref)).toMatchObject({
      state: 'paused',
      fault: { code: 'Provisioning.ForeignDeliveryStream' },
    });
  });

  test('revokes that the target was provisioned before it was verified', async () => {
    const ref = await provisioned();
    const edited = {
      ...(await world.target(ref)),
      destination: bucketOf(ref, { deliveryStreamName: foreign }),
    };
    await world.database.send(
      new PutCommand({ TableName: 'tenants', Item: { ...targetKey(ref), ...edited } }),
    );
    await world.step(ref);
    await world.deps.readiness.verified(await world.target(ref), 5);
    expect((await world.target(ref)).state).toBe('validating');
  });
});

/** Ends as a process does that is killed: right before or after the call. */
const dying = (moment: 'before' | 'after'): Pick<ProvisioningDeps, 'deliveryStreams' | 'readiness'> => {
  const die = (): never => {
    throw new Error('killed');
  };
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    if (moment === 'before') die();
    await call();
    return die();
  };
  class Streams extends DeliveryStreamClient {
    override create = async (...given: Parameters<DeliveryStreamClient['create']>) =>
      await around(async () => await super.create(...given));
    override update = async (...given: Parameters<DeliveryStreamClient['update']>) =>
      await around(async () => await super.update(...given));
    override delete = async (...given: Parameters<DeliveryStreamClient['delete']>) =>
      await around(async () => await super.delete(...given));
  }
  class Readiness extends TargetReadiness {
    override provisioned = async (...given: Parameters<TargetReadiness['provisioned']>) =>
      await around(async () => await super.provisioned(...given));
  }
  return {
    deliveryStreams: new Streams(controlPlaneClient(), new RateLimiter(0)),
    readiness: new Readiness(world.database, 'tenants'),
  };
};

describe('a step', () => {
  test('has an effect once when it runs twice at the same time', async () => {
    const ref = await world.bucketTarget();
    const both = async () => await Promise.all([world.provision(ref), world.provision(ref)]);
    const [one, other] = await both();
    expect([one.at(-1), other.at(-1)]).toEqual(['provisioned', 'provisioned']);
    expect([...one, ...other].filter((outcome) => outcome === 'created')).toHaveLength(1);

    await register(ref, bucketOf(ref, { bucket: 'another-bucket' }));
    const updates = await both();
    expect(updates.flat().filter((outcome) => outcome === 'updated')).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)(
    'is completed by the next when it is killed %s its call',
    async (moment) => {
      const ref = await world.bucketTarget();
      const killed = async () =>
        await expect(world.provision(ref, dying(moment), muchLater())).rejects.toThrow('killed');
      await killed();
      await world.provision(ref);
      await killed();
      expect((await world.target(ref)).provisionedAt).toBeDefined();
      await register(ref, bucketOf(ref, { bucket: 'another-bucket' }));
      await killed();
      await world.provision(ref);
      expect((await s3Of(ref))?.BucketARN).toBe('arn:aws:s3:::another-bucket');
      await register(ref, { kind: 'none' });
      await killed();
      await world.provision(ref, {}, muchLater());
      expect(await world.described(ref)).toBeUndefined();
    },
  );

  test('does not undo, for an older destination, a step for the newer', async () => {
    const ref = await provisioned();
    await register(ref, bucketOf(ref, { bucket: 'older' }));
    const { targets } = world.deps;
    const load = targets.load.bind(targets);
    const late = Object.assign(Object.create(targets) as typeof targets, {
      load: async (refs: TargetRef[]) => {
        const found = await load(refs);
        await register(ref, bucketOf(ref, { bucket: 'newer' }));
        await world.provision(ref);
        return found;
      },
    });
    expect((await world.step(ref, { targets: late })).outcome).toBe('changed');
    expect((await s3Of(ref))?.BucketARN).toBe('arn:aws:s3:::newer');
  });
});

test('any order of events leads to the delivery stream that the record asks for', async () => {
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.constant('step' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('killed before' as const, 'killed after' as const, 'twice' as const),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom('one' as const, 'other' as const, 'stream' as const, 'none' as const),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('broken key' as const, 'throttled' as const, 'settled' as const),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 14 }), async (actions) => {
      const ref = await world.bucketTarget();
      const destinations: Record<string, Destination> = {
        one: bucketOf(ref),
        other: bucketOf(ref, { bucket: 'another-bucket', kmsKeyArn: keyArn }),
        stream: streamDestination,
        none: { kind: 'none' },
      };
      const step = async (deps?: Partial<ProvisioningDeps>) =>
        await world.step(ref, deps, muchLater()).catch(() => undefined);
      for (const one of actions) {
        if (one === 'step') await step();
        else if (one === 'killed before') await step(dying('before'));
        else if (one === 'killed after') await step(dying('after'));
        else if (one === 'twice') await Promise.all([step(), step()]);
        else if (one === 'broken key') world.failingArns.add(keyArn);
        else if (one === 'throttled') world.faults.add({ service: 'firehose', fault: 'throttle', times: 2 });
        else if (one === 'settled') {
          world.reset();
          await world.provision(ref, {}, muchLater());
        } else await register(ref, destinations[one] ?? { kind: 'none' });
      }
      world.reset();
      await world.provision(ref, {}, muchLater());
      await expectAsRecorded(ref);
    }),
    { numRuns: propertyRuns(30) },
  );
});

async function expectAsRecorded(ref: TargetRef): Promise<void> {
  const { destination, provisionedAt, fault } = await world.target(ref);
  if (destination.kind !== 'bucket') {
    expect(await world.described(ref)).toBeUndefined();
    return;
  }
  expect(provisionedAt).toBeDefined();
  expect(fault).toBeUndefined();
  const stream = await world.deps.deliveryStreams.describe(nameOf(ref));
  expect(stream?.status).toBe('ACTIVE');
  const wanted = wantedDeliveryStream(destination, ref.category, {
    prefix: world.deps.deliveryStreamPrefix,
    buffering: world.deps.buffering,
  });
  expect(isAsWanted(stream?.configuration ?? {}, wanted)).toBe(true);
}
