import { measureLateness } from '../../core/confirmations/expiry-metrics.ts';
import { type DueDeps, queueDueExpiries } from '../../core/confirmations/queue-due-expiries.ts';
import { logger } from '../../core/kernel/observability.ts';

/** Milliseconds: leaves enough of the Lambda's time for the last calls. */
const timeLimitMs = 240_000;

/** The clock of expiries that SQS cannot delay far enough. What could not be queued is tried again by the next call. */
export const createHandler = (deps: DueDeps) => async (): Promise<void> => {
  const now = Date.now();
  const { queued, failed, oldest } = await queueDueExpiries(deps, now, now + timeLimitMs);
  if (oldest === undefined) return;
  logger.info('queued', { queued, failed });
  measureLateness(Math.max(0, now - oldest));
};
