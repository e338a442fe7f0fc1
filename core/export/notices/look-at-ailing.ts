import { describeTarget, isStreamName } from '../../events/target-ref.ts';
import { chunksOf } from '../../kernel/chunks.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import { lastingFault } from '../targets/target-status.ts';
import type { Target } from '../targets/target.ts';
import type { TargetStore } from '../targets/target-store.ts';
import { isAcknowledged } from './acknowledgement.ts';
import type { AilingTarget, AilingTargets } from './ailing-target-store.ts';
import type { NoticeStore } from './notice-store.ts';
import { tellOfTarget, type TellDeps } from './tell-of-target.ts';
import { isAiling, isStuck } from './trouble.ts';

export type LookDeps = TellDeps & {
  targets: Pick<TargetStore, 'load' | 'transition'>;
  ailing: Pick<AilingTargets, 'pages' | 'remove'>;
  notices: Pick<NoticeStore, 'change' | 'find'>;
};

/** A receiver that is slow or dead holds up only the others of its group, and for one call. */
const atOnce = 25;

/**
 * Tells of what only time brings about: faults that last, a day that has passed, a notice that did not arrive.
 *
 * @returns for how many exports events have waited for too long, without those that an operator knows of. Of a stream of signals
 * its tenant was told, and no operator can mend the receiver.
 */
export async function lookAtAiling(deps: LookDeps, clock: () => number = Date.now): Promise<number> {
  let stuck = 0;
  for await (const page of deps.ailing.pages()) {
    for (const group of chunksOf(page, atOnce)) {
      const { targets } = await deps.targets.load(group);
      await Promise.all(
        group.map(async (one) => await lookAt(deps, one, targets.get(describeTarget(one)), clock())),
      );
      stuck += group.filter((one) => rings(one, targets.get(describeTarget(one)), clock())).length;
    }
  }
  return stuck;
}

const rings = ({ category, acknowledged }: AilingTarget, target: Target | undefined, now: number): boolean =>
  !isStreamName(category) && isStuck(target, now) && !(target && isAcknowledged(target, acknowledged, now));

/** What fails is done with the next look. */
async function lookAt(
  deps: LookDeps,
  entry: AilingTarget,
  target: Target | undefined,
  now: number,
): Promise<void> {
  const { tenantId, category } = entry;
  try {
    const fault = target && lastingFault(target, now);
    // Who follows the changes of targets tells of it.
    if (fault && (await deps.targets.transition(target, 'park', now, { fault }))) return;
    await tellOfTarget(deps, entry, target, now);
    if (isAiling(target)) return;
    const { lastNoticeAt, pending } = (await deps.notices.find(tenantId)).targets[category] ?? {};
    if (lastNoticeAt === undefined && pending?.nextAt === undefined) await deps.ailing.remove(entry);
  } catch (error) {
    logger.error('target not looked at', { tenantId, category, fault: describeFault(error) });
  }
}
