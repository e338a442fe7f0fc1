import type { TargetRef } from '../../events/target-ref.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { isPlace } from '../kinds/records.ts';
import { isDrained, type Target } from './target.ts';
import type { TargetStore } from './target-store.ts';

type Targets = Pick<TargetStore, 'find' | 'move' | 'drain'>;

/**
 * The target that a tenant steers.
 *
 * @throws {Refusal} `export-not-found`, or `no-destination`
 */
export async function requireExport(targets: Pick<TargetStore, 'find'>, ref: TargetRef): Promise<Target> {
  return requireDestination(await targets.find(ref));
}

/** @throws {Refusal} `export-not-found` */
export function requireTarget(target: Target | undefined): Target {
  if (!target) throw new Refusal('export-not-found', 'There is no export of this category.');
  return target;
}

/** @throws {Refusal} `export-not-found`, or `no-destination` */
export function requireDestination(found: Target | undefined): Target {
  const target = requireTarget(found);
  if (!isPlace(target.destination))
    throw new Refusal(
      'no-destination',
      'Events of this category are not exported. The operator sets a destination.',
    );
  return target;
}

/**
 * A tenant pauses its own export. It stays paused by whoever paused it first.
 *
 * @throws {Refusal}
 */
export async function pauseByTenant(targets: Targets, ref: TargetRef, now: number): Promise<Target> {
  const target = await requireExport(targets, ref);
  if (target.state === 'paused') return target;
  const { applied: isPaused, current } = await targets.move(target, 'pauseByTenant', now);
  const after = requireDestination(current);
  if (isPaused || after.state === 'paused') return after;
  throw new Refusal(
    'not-verified',
    'The export is being validated. It can be paused when a test has passed.',
  );
}

/**
 * A tenant resumes what it paused itself.
 *
 * @throws {Refusal}
 */
export async function resumeByTenant(targets: Targets, ref: TargetRef, now: number): Promise<Target> {
  const target = await requireExport(targets, ref);
  if (target.state !== 'paused') return requireFlowing(target);
  const { applied: isResumed, current } = await targets.move(target, 'resumeByTenant', now);
  const after = requireDestination(current);
  if (!isResumed) return requireFlowing(after);
  return await activateIfDrained(targets, after, now);
}

function requireFlowing(target: Target): Target {
  if (target.state === 'paused' && target.pausedBy !== 'tenant')
    throw new Refusal(
      'paused-by-operator',
      'The operator paused the export. Only the operator can resume it.',
    );
  if (target.state === 'paused' || target.state === 'validating')
    throw new Refusal('not-verified', 'The export can be resumed when a test has passed.');
  return target;
}

/** After a resumption. If no event waits, no delivery would make the target active. */
export async function activateIfDrained(
  targets: Pick<Targets, 'find' | 'drain'>,
  target: Target,
  now: number,
): Promise<Target> {
  if (target.state !== 'degraded' || target.fault || !isDrained(target)) return target;
  await targets.drain(target, now);
  return (await targets.find(target)) ?? target;
}
