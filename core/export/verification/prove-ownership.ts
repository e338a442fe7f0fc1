import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { OpenBucket } from './bucket-probe.ts';
import type { TargetReadiness } from '../targets/target-readiness-store.ts';
import { sha256 } from '../../kernel/identifiers.ts';
import type { BucketDestination, Ownership, Target } from '../targets/target.ts';
import { CheckFailed, ownershipFault } from './verification.ts';

/** A target with a bucket, and what was read there, if anybody says so. */
export type Claim = {
  target: Target & { destination: BucketDestination };
  proof: string | undefined;
};

export type OwnershipRecord = Pick<TargetReadiness, 'challenged' | 'proven'>;

/** The target is no longer what was tested. */
export class TargetChanged extends Error {
  override readonly name = 'TargetChanged';
}

const objectOf = ({ tenantId, category }: Target): string => `omi/ownership-${tenantId}-${category}.txt`;

/** 192 random bits, of characters that need no quotes in a shell. */
const newChallenge = (): string => randomBytes(24).toString('base64url');

const isText = (text: string, { challengeHash }: Ownership): boolean =>
  timingSafeEqual(Buffer.from(sha256(text)), Buffer.from(challengeHash));

/**
 * Whether the bucket's owner, and not only whoever knows its name, wants events there: the service writes a text into
 * the bucket, and is told it. It keeps a hash alone, so that nobody reads the answer in the service.
 *
 * @throws {CheckFailed} until it is proven
 */
export async function proveOwnership(
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

/** The object with the challenge, if it is still in the bucket: the owner may be about to read it. */
async function standing(bucket: OpenBucket, ownership: Ownership | undefined): Promise<string | undefined> {
  if (!ownership) return undefined;
  const text = await bucket.read(ownership.object);
  return text !== undefined && isText(text, ownership) ? ownership.object : undefined;
}

/** The record comes first: of two tests at once one makes the challenge, and one that died is made good by the next. */
async function challenge(readiness: OwnershipRecord, bucket: OpenBucket, target: Target): Promise<string> {
  const [text, object] = [newChallenge(), objectOf(target)];
  orChanged(await readiness.challenged(target, { challengeHash: sha256(text), object }));
  await bucket.write(object, text);
  return object;
}

function orChanged(applied: boolean): void {
  if (!applied) throw new TargetChanged();
}
