import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../../kernel/identifiers.ts';
import type { TargetReadiness } from '../../targets/target-readiness-store.ts';
import type { Ownership, Target } from '../../targets/target.ts';
import { CheckFailed, ownershipFault } from '../checks.ts';
import { orChanged, type Claim } from '../probe.ts';
import type { OpenBucket } from './bucket-client.ts';
import type { BucketDestination } from './record.ts';

/** A target with a bucket, and the text that was read there, if it is given. */
export type BucketClaim = Claim<Target & { destination: BucketDestination }>;

export type OwnershipRecord = Pick<TargetReadiness, 'challenged' | 'proven'>;

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
export async function proveOwnership(
  readiness: OwnershipRecord,
  bucket: OpenBucket,
  { target, proof, now }: BucketClaim,
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
