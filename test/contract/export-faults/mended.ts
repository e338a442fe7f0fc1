import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { faultOf } from '../../../core/export/targets/target-status.ts';
import type { BucketDestination } from '../../../core/export/kinds/bucket/record.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { StreamDestination } from '../../../core/export/kinds/stream/record.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { writerPolicies } from '../../../tools/local/seed/stream-target.ts';
import { requestVerification } from '../permissions/export-operator.ts';
import {
  externalIdChanged,
  keyDisabled,
  roleDeleted,
  roleMayNotWrite,
  streamDeleted,
} from './broken-streams.ts';
import { beginFault } from './faults.ts';
import type { Scene } from './scene.ts';
import { Outbox } from './tenants.ts';

/** An active target of a tenant of its own, and its outbox. */
type Patient<Where extends Destination> = { ref: TargetRef; destination: Where; outbox: Outbox };

type Case<Where extends Destination> = {
  /** The function that it returns mends what it breaks. */
  breakIt: (scene: Scene, patient: Patient<Where>) => Promise<() => Promise<unknown>>;
  /** By what the service notices: an event, or a test. */
  by: 'event' | 'test';
  reason: RegExp;
  /** True if no event comes from then on. */
  isIdle?: true;
};

async function record({ ref, outbox }: Patient<Destination>, count: number): Promise<void> {
  for (let event = 0; event < count; event += 1) await outbox.record(ref);
}

const isWell =
  (delivered: number) =>
  (target: Target): boolean =>
    target.state === 'active' && target.deliveredCount >= delivered && target.parkedCount === 0;

/** Breaks an active target, and mends it as soon as events wait for it. */
async function breakAndMend<Where extends Destination>(
  scene: Scene,
  patient: Patient<Where>,
  { breakIt, by, reason, isIdle }: Case<Where>,
): Promise<void> {
  const { register, stack } = scene;
  const { ref } = patient;
  await record(patient, 1);
  await register.becomes(ref, 'well', isWell(1));

  const mend = await breakIt(scene, patient);
  await (by === 'test' ? requestVerification(stack, ref) : record(patient, 1));
  const found = await register.becomes(ref, 'broken', (target) => faultOf(target)?.actor === 'tenant');
  expect(faultOf(found)?.reason).toMatch(reason);
  expect(found.state).not.toBe('active');
  const later = isIdle ? 0 : 2;
  await record(patient, later);

  await mend();
  const recorded = 1 + later + (by === 'event' ? 1 : 0);
  await register.becomes(ref, 'well again', isWell(recorded));
}

/** New sessions are refused. Those that are open go on, so only a test can tell. */
const trustWithdrawn: Case<StreamDestination>['breakIt'] = async ({ account }, { destination }) => {
  const { trustPolicy } = writerPolicies({ ...destination, externalId: 'somebody-elses-0123456789' });
  await account.changeTrust(destination, trustPolicy);
  return async () => await account.restoreTrust(destination);
};

const bucketShut: Case<BucketDestination>['breakIt'] = async ({ stack }, { destination }) =>
  await beginFault(stack.file, { service: 's3', fault: 'access-denied', resource: destination.bucket });

/** Firehose does not make this call. */
const refusedOnce: Case<BucketDestination>['breakIt'] = async ({ stack }, { destination }) => {
  const call = { service: 's3', operation: 'HeadBucket', resource: destination.bucket } as const;
  return await beginFault(stack.file, { ...call, fault: 'access-denied', times: 1 });
};

const ofStreams: Record<string, Case<StreamDestination>> = {
  'the role': { breakIt: roleDeleted, by: 'event', reason: /must create the role/ },
  'the external id': { breakIt: externalIdChanged, by: 'event', reason: /trust policy/ },
  'the external id, while a session lasts': { breakIt: trustWithdrawn, by: 'test', reason: /trust policy/ },
  'the stream': { breakIt: streamDeleted, by: 'event', reason: /create it again/ },
  'the permissions': { breakIt: roleMayNotWrite, by: 'event', reason: /kinesis:PutRecords/ },
  'the key': { breakIt: keyDisabled, by: 'event', reason: /must enable it/ },
  'the role, while no event comes': {
    ...{ breakIt: roleDeleted, by: 'test', isIdle: true },
    reason: /must create the role/,
  },
};

const ofBuckets: Record<string, Case<BucketDestination>> = {
  'the bucket': { breakIt: bucketShut, by: 'test', reason: /in the bucket policy/ },
  'one refused call of a test': { breakIt: refusedOnce, by: 'test', reason: /s3:ListBucket/ },
};

export function mended(scene: Scene): void {
  test('gets events again after role, external id, stream, permissions, bucket or key is repaired', async () => {
    const outbox = new Outbox(scene.stack.file);
    const newRef = (): TargetRef => ({ tenantId: randomUUID(), category: 'public' });
    const streams = Object.values(ofStreams).map(async (one) => {
      const ref = newRef();
      const destination = await scene.account.makeStream({ shards: 1, roleName: `writer-${ref.tenantId}` });
      await scene.register.activate(ref, destination);
      await breakAndMend(scene, { ref, destination, outbox }, one);
    });
    const buckets = Object.values(ofBuckets).map(async (one) => {
      const ref = newRef();
      const destination = await scene.account.makeBucket(ref);
      await scene.register.activate(ref, destination);
      await breakAndMend(scene, { ref, destination, outbox }, one);
    });
    await Promise.all([...streams, ...buckets]);
    outbox.close();
  });
}
