import { randomUUID } from 'node:crypto';
import type { TargetReadiness } from '../../../core/export/targets/target-readiness-store.ts';
import { isBucket } from '../../../core/export/kinds/bucket/record.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { sha256 } from '../../../core/kernel/identifiers.ts';

/** As if the owner of the bucket had proven it. Otherwise a later test that fails could not be followed by one that passes. */
export async function markOwned(readiness: TargetReadiness, target: Target): Promise<void> {
  if (!isBucket(target.destination) || target.ownership?.provenAt !== undefined) return;
  const challenge = { challengeHash: sha256(randomUUID()), object: 'omi/ownership.txt' };
  await readiness.challenged(target, { ...challenge, provenAt: Date.now() });
}
