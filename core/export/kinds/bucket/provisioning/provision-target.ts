import type { DeliveryStream, DeliveryStreamClient } from './delivery-stream-client.ts';
import type { TargetReadiness } from '../../../targets/target-readiness-store.ts';
import type { TargetStore } from '../../../targets/target-store.ts';
import {
  deliveryStreamNameOf,
  drainTime,
  isAsWanted,
  isRoleOf,
  wantedDeliveryStream,
  type Buffering,
} from './delivery-stream.ts';
import {
  creationFault,
  DeliveryStreamChanged,
  DeliveryStreamRefused,
  provisioningFault,
} from './provisioning-faults.ts';
import { isBucket, type BucketDestination } from '../record.ts';
import type { Fault, Target } from '../../../targets/target.ts';
import type { TargetRef } from '../../../../events/target-ref.ts';

export type ProvisioningDeps = {
  targets: TargetStore;
  readiness: TargetReadiness;
  deliveryStreams: DeliveryStreamClient;
  /** The prefix of the names of this deployment's delivery streams. */
  deliveryStreamPrefix: string;
  buffering: Buffering;
};

/** Both in milliseconds since 1970. */
export type Occasion = { now: number; requestedAt: number };

/** What a step did or found. With `again` another step must follow. */
export type Step =
  | { outcome: 'provisioned' | 'nothing' }
  | { outcome: 'refused'; fault: Fault }
  | { outcome: 'created' | 'updated' | 'deleted' | 'settling' | 'changed'; again: true }
  | { outcome: 'draining'; again: true; until: number }
  | { outcome: 'failed'; again: true; fault: Fault };

type Found = { name: string; stream: DeliveryStream | undefined };
type BucketTarget = Target & { destination: BucketDestination };

/**
 * One step towards the delivery stream that a target needs, or towards its deletion. A step makes one change at most, and the
 * next step looks at the result. So a step may die at any point, come twice, or be late.
 *
 * The stream is read before the target. If the target changes in between, an update for the older destination meets a newer
 * version of the stream and is refused. If the target changes later, that change brings another step.
 */
export async function provisionTarget(
  deps: ProvisioningDeps,
  ref: TargetRef,
  occasion: Occasion,
): Promise<Step> {
  const name = deliveryStreamNameOf(deps.deliveryStreamPrefix, ref);
  let target: Target | undefined;
  try {
    const stream = await deps.deliveryStreams.describe(name);
    target = await deps.targets.find(ref);
    return target && hasBucket(target)
      ? await provide(deps, target, { name, stream }, occasion)
      : await removeDeliveryStream(deps.deliveryStreams, stream, target, occasion);
  } catch (error) {
    if (error instanceof DeliveryStreamChanged) return { outcome: 'changed', again: true };
    if (!(error instanceof DeliveryStreamRefused)) throw error;
    return await failed(deps, target ?? (await deps.targets.find(ref)), error.fault);
  }
}

const hasBucket = (target: Target): target is BucketTarget => isBucket(target.destination);

async function failed(
  { readiness }: ProvisioningDeps,
  target: Target | undefined,
  fault: Fault,
): Promise<Step> {
  if (target && hasBucket(target)) await readiness.notProvisioned(target, fault);
  return { outcome: 'failed', again: true, fault };
}

async function provide(
  deps: ProvisioningDeps,
  target: BucketTarget,
  { name, stream }: Found,
  { now }: Occasion,
): Promise<Step> {
  const { deliveryStreams, readiness, buffering } = deps;
  const { deliveryStreamName, deliveryRoleArn } = target.destination;
  if (deliveryStreamName !== name) return await refuse(deps, target, 'ForeignDeliveryStream', now);
  if (!isRoleOf(target, deliveryRoleArn)) return await refuse(deps, target, 'ForeignDeliveryRole', now);
  const wanted = wantedDeliveryStream(target.destination, target.category, {
    prefix: deps.deliveryStreamPrefix,
    buffering,
  });
  if (!stream) {
    await deliveryStreams.create(name, target.tenantId, wanted);
    return { outcome: 'created', again: true };
  }
  switch (stream.status) {
    case 'CREATING':
    case 'DELETING':
      return { outcome: 'settling', again: true };
    case 'CREATING_FAILED':
    case 'DELETING_FAILED':
      if (stream.failure) await readiness.notProvisioned(target, creationFault(stream.failure));
      await deliveryStreams.delete(stream);
      return { outcome: 'deleted', again: true };
    case 'ACTIVE':
      if (isAsWanted(stream.configuration, wanted)) return await ready(deps, target, now);
      await deliveryStreams.update(stream, wanted);
      return { outcome: 'updated', again: true };
  }
}

async function ready({ readiness, buffering }: ProvisioningDeps, target: Target, now: number): Promise<Step> {
  return (await readiness.provisioned(target, now, buffering.seconds))
    ? { outcome: 'provisioned' }
    : { outcome: 'changed', again: true };
}

/** Only an edit by hand can have written such a name. It may be another tenant's: no event may go there. */
async function refuse(
  { readiness, targets }: ProvisioningDeps,
  target: BucketTarget,
  code: 'ForeignDeliveryStream' | 'ForeignDeliveryRole',
  now: number,
): Promise<Step> {
  const fault = provisioningFault(code);
  if (target.state === 'validating') await readiness.refused(target, fault);
  else await targets.transition(target, 'pause', now, { fault });
  return { outcome: 'refused', fault };
}

/**
 * One step towards the deletion of the delivery stream, for a target whose destination is not a bucket, or not any more. The
 * stream first writes what it was given before the target changed: a deletion loses what it buffers. Parked events wait
 * in the queue and go to the new destination.
 */
async function removeDeliveryStream(
  deliveryStreams: DeliveryStreamClient,
  stream: DeliveryStream | undefined,
  target: Target | undefined,
  { now, requestedAt }: Occasion,
): Promise<Step> {
  if (!stream) return { outcome: 'nothing' };
  if (stream.status === 'CREATING' || stream.status === 'DELETING') {
    return { outcome: 'settling', again: true };
  }
  const lastChange = Math.max(requestedAt, target?.stateSince ?? 0);
  const until = lastChange + drainTime({ seconds: stream.bufferSeconds });
  if (stream.status === 'ACTIVE' && now < until) return { outcome: 'draining', again: true, until };
  await deliveryStreams.delete(stream);
  return { outcome: 'deleted', again: true };
}
