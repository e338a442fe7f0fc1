import type { VerificationQueue } from '../../core/export/verification/verification-queue.ts';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { logger } from '../../core/kernel/observability.ts';

export type Deps = {
  targets: Pick<TargetStore, 'pages'>;
  queue: Pick<VerificationQueue, 'spread'>;
};

/** Makes Lambda call the handler again. */
export class NotAllScheduled extends Error {
  override readonly name = 'NotAllScheduled';
}

/**
 * Requests a test of every target. If it fails in the middle, it is called again and starts from the beginning. A second
 * test of a target does no harm.
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
