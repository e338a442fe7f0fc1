import type { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { logger } from '../../core/kernel/observability.ts';

export type Deps = {
  targets: Pick<TargetStore, 'pages'>;
  queue: Pick<VerificationQueue, 'spread'>;
};

/** Lambda calls again what was called by a schedule and failed. */
export class NotAllScheduled extends Error {
  override readonly name = 'NotAllScheduled';
}

/**
 * Has every target tested. If it ends in the middle, it is called again and begins anew: a target that is tested twice
 * is none the worse for it.
 */
export const createHandler =
  ({ targets, queue }: Deps) =>
  async (): Promise<void> => {
    const outcome = { scheduled: 0, failed: 0 };
    for await (const page of targets.pages()) {
      const failed = await queue.spread(page);
      outcome.scheduled += page.length - failed.length;
      outcome.failed += failed.length;
    }
    logger.info('scheduled', outcome);
    if (outcome.failed > 0) throw new NotAllScheduled();
  };
