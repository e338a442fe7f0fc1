import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import { isActive } from './is-active.ts';
import { idsOf, type Recorded } from './recorded.ts';
import { refOf, type Scene } from './scene.ts';

/**
 * Once everything has come, the target's record counts all of it: as many delivered as accepted, none parked. It may count a
 * batch twice whose write had no answer in time, as happens on a busy machine; `export-batch.test.ts` counts to the event.
 */
export async function countsAddUp(
  { register }: Pick<Scene, 'register'>,
  source: TargetRef,
  before: Target,
  recorded: Recorded,
): Promise<Target> {
  const count = idsOf(recorded).length;
  return await register.becomes(
    refOf(source),
    `active with ${count} more events accepted and delivered`,
    (target) =>
      isActive(target) &&
      target.parkedCount === 0 &&
      target.acceptedCount - before.acceptedCount >= count &&
      target.deliveredCount - before.deliveredCount === target.acceptedCount - before.acceptedCount,
  );
}
