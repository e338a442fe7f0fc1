import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { BucketProbe, OpenBucket } from './bucket-probe.ts';
import { recordErrorObjects, type ErrorRecord } from './error-objects.ts';
import type { LastTestStore } from '../targets/last-test-store.ts';
import type { TargetReadiness } from '../targets/target-readiness-store.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { wrongExternalId, type TrustProbe } from './trust-probe.ts';
import type { WebhookProbe } from './webhook-probe.ts';
import { isRoleOf } from '../provisioning/delivery-stream.ts';
import { provisioningFault } from '../provisioning/provisioning-faults.ts';
import { sha256 } from '../../kernel/identifiers.ts';
import type { BucketDestination, Fault, Ownership, StreamDestination, Target } from '../targets/target.ts';
import type { TargetRef } from '../../events/target-ref.ts';
import { rfc3339, seconds } from '../../kernel/time.ts';
import {
  begunTest,
  failedTest,
  isSuperseded,
  passedTest,
  postponedTest,
  type TestMessage,
  type TestRun,
} from './test-record.ts';
import { parseArn } from './tenant-policies/arn.ts';
import {
  CheckFailed,
  consequenceOf,
  endsOwnership,
  ownershipFault,
  verificationFault,
} from './verification-checks.ts';

export type VerificationDeps = {
  targets: Pick<TargetStore, 'find'>;
  readiness: Pick<TargetReadiness, 'verified' | 'passed' | 'warned' | 'failed' | 'challenged' | 'proven'>;
  lastTests: Pick<LastTestStore, 'begun' | 'postponed'>;
  reports: ErrorRecord;
  trust: Pick<TrustProbe, 'assume' | 'admits' | 'write' | 'keepsOrder'>;
  buckets: BucketProbe;
  webhooks: Pick<WebhookProbe, 'prove'>;
};

/** A target, the text that the owner of its bucket read, if it is given, and the message that asks for the test. */
export type VerificationOf = TargetRef & { proof?: string | undefined; message: TestMessage };

/** With `againAt` the message must come again then, in milliseconds since 1970. */
export type Verification =
  | { outcome: 'verified' | 'nothing' | 'superseded' }
  | { outcome: 'failed'; fault: Fault; againAt?: number }
  | { outcome: 'changed'; againAt: number }
  | { outcome: 'not-now'; fault: Fault; againAt: number };

/**
 * Tests whether a target can be trusted, and takes events in the way in which they are sent later. The first fault ends the
 * test. A target in validation becomes active when it passes; an active target is stopped when it fails. A test that fails is
 * repeated, because nothing else may show that the fault is gone.
 *
 * @throws {MalformedTarget}
 */
export async function verifyTarget(
  deps: VerificationDeps,
  { proof, message, ...ref }: VerificationOf,
  clock: () => number = Date.now,
): Promise<Verification> {
  const target = await deps.targets.find(ref);
  if (!target || target.destination.kind === 'none') return { outcome: 'nothing' };
  // A proof is in this message only.
  if (proof === undefined && isSuperseded(target, message)) return { outcome: 'superseded' };
  const run: TestRun = { target, test: begunTest(target, message), message };
  let warning: string | undefined;
  try {
    orChanged(await deps.lastTests.begun(target, run.test));
    warning = await check(deps, { target, proof }, clock());
    await pass(deps, run, warning, clock());
    return { outcome: 'verified' };
  } catch (error) {
    if (error instanceof TargetChanged) return { outcome: 'changed', againAt: clock() + afterChange };
    if (!(error instanceof CheckFailed)) throw error;
    return await fail(deps, run, error.fault, clock());
  }
}

/** Milliseconds until the changed target is tested. */
const afterChange = 2 * seconds;

async function pass(
  { readiness }: VerificationDeps,
  run: TestRun,
  warning: string | undefined,
  now: number,
): Promise<void> {
  orChanged(await readiness.passed(run.target));
  orChanged(await readiness.warned(run.target, warning));
  orChanged(await readiness.verified(run.target, now, passedTest(run, now)));
}

async function fail(
  { readiness, lastTests }: VerificationDeps,
  run: TestRun,
  found: Fault,
  now: number,
): Promise<Verification> {
  // If nobody must act, the fault says nothing about the target.
  if (found.actor === 'nobody') {
    const test = postponedTest(run, found, now);
    await lastTests.postponed(run.target, test);
    return { outcome: 'not-now', fault: found, againAt: test.nextAt };
  }
  const fault = { ...found, foundAt: now };
  const test = failedTest(run, fault, now);
  const failure = { fault, consequence: consequenceOf(fault), endsOwnership: endsOwnership(fault), test };
  const isSame = await readiness.failed(run.target, failure, now);
  if (!isSame) return { outcome: 'changed', againAt: now + afterChange };
  return { outcome: 'failed', fault, ...(test.nextAt !== undefined && { againAt: test.nextAt }) };
}

type Attempt = { target: Target; proof: string | undefined };

/** @returns a warning, although nothing is wrong */
async function check(
  deps: VerificationDeps,
  { target, proof }: Attempt,
  now: number,
): Promise<string | undefined> {
  const { destination } = target;
  if (destination.kind === 'stream') return await checkStream(deps, destination);
  if (destination.kind === 'bucket')
    await checkBucket(deps, { target: { ...target, destination }, proof }, now);
  if (destination.kind === 'webhook') await deps.webhooks.prove({ ...target, destination });
  return undefined;
}

const noOrder =
  'The stream spreads records over its shards by itself (RecordDistributionStrategy AUTO): events of an aggregate may come out of order.';

/** Tests for a confused deputy before it writes: nothing is written with a role that anyone could make the service use. */
async function checkStream(
  { trust }: VerificationDeps,
  destination: StreamDestination,
): Promise<string | undefined> {
  await trust.assume(destination);
  if (await trust.admits(destination)) throw new CheckFailed(verificationFault('OpenWithoutExternalId'));
  if (await trust.admits(destination, wrongExternalId()))
    throw new CheckFailed(verificationFault('OpenToAnyExternalId'));
  await trust.write(destination);
  return (await trust.keepsOrder(destination)) ? undefined : noOrder;
}

const lastCheck = 'omi/last-check.txt';

/**
 * Ownership is proven once, before the target becomes active: a later test must not stop a target whose owner does not
 * read the bucket. A paused target that lost its trust must prove it, too.
 */
async function checkBucket(
  { buckets, readiness, reports }: VerificationDeps,
  claim: Claim,
  now: number,
): Promise<void> {
  const { target } = claim;
  const { deliveryRoleArn, kmsKeyArn } = target.destination;
  // With another tenant's role the test would only prove that this role may write.
  if (!isRoleOf(target, deliveryRoleArn)) throw new CheckFailed(provisioningFault('ForeignDeliveryRole'));
  const bucket = await buckets.open(target.destination);
  const region = await bucket.region();
  if (kmsKeyArn !== undefined && parseArn(kmsKeyArn).region !== region)
    throw new CheckFailed(verificationFault('BucketElsewhere', `The bucket is in ${region}.`));
  await bucket.write(lastCheck, `The service found that it can write here at ${rfc3339(now)}.`);
  const isTrusted = target.state !== 'validating' && target.verifiedAt !== undefined;
  if (!isTrusted && target.ownership?.provenAt === undefined)
    await proveOwnership(readiness, bucket, claim, now);
  await recordErrorObjects(reports, bucket, target, now);
}

/** A target with a bucket, and the text that was read there, if it is given. */
type Claim = {
  target: Target & { destination: BucketDestination };
  proof: string | undefined;
};

type OwnershipRecord = Pick<TargetReadiness, 'challenged' | 'proven'>;

/** The target is no longer what was tested. */
class TargetChanged extends Error {
  override readonly name = 'TargetChanged';
}

const objectOf = ({ tenantId, category }: Target): string => `omi/ownership-${tenantId}-${category}.txt`;

/** 192 random bits, in characters that need no quotes in a shell. */
const newChallenge = (): string => randomBytes(24).toString('base64url');

const isText = (text: string, { challengeHash }: Ownership): boolean =>
  timingSafeEqual(Buffer.from(sha256(text)), Buffer.from(challengeHash));

/**
 * Proves that the owner of the bucket wants the events, and not only someone who knows its name: the service writes a text
 * into the bucket, and the owner must give it back. The service stores only a hash, so nobody can read the answer there.
 *
 * @throws {CheckFailed} until it is proven
 */
async function proveOwnership(
  readiness: OwnershipRecord,
  bucket: OpenBucket,
  { target, proof }: Claim,
  now: number,
): Promise<void> {
  const { ownership } = target;
  if (proof !== undefined && ownership && isText(proof.trim(), ownership)) {
    orChanged(await readiness.proven(target, ownership, now));
    return;
  }
  const object = (await standing(bucket, ownership)) ?? (await challenge(readiness, bucket, target));
  const place = { bucket: target.destination.bucket, object };
  throw new CheckFailed(
    ownershipFault(proof === undefined ? 'OwnershipUnproven' : 'WrongProof', target, place),
  );
}

/** The object with the challenge, if it is still in the bucket, where the owner may be about to read it. */
async function standing(bucket: OpenBucket, ownership: Ownership | undefined): Promise<string | undefined> {
  if (!ownership) return undefined;
  const text = await bucket.read(ownership.object);
  return text !== undefined && isText(text, ownership) ? ownership.object : undefined;
}

/**
 * The record is written first: of two concurrent tests one makes the challenge. If a test dies, the next one repeats it. If
 * another test has replaced the challenge meanwhile, the object may have the text of either, and the test is repeated.
 */
async function challenge(readiness: OwnershipRecord, bucket: OpenBucket, target: Target): Promise<string> {
  const [text, object] = [newChallenge(), objectOf(target)];
  const ownership = { challengeHash: sha256(text), object };
  orChanged(await readiness.challenged(target, ownership));
  await bucket.write(object, text);
  orChanged(await readiness.challenged({ ...target, ownership }, ownership));
  return object;
}

function orChanged(applied: boolean): void {
  if (!applied) throw new TargetChanged();
}
