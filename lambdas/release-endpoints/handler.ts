import { logger } from '../../core/kernel/observability.ts';
import { releaseEndpoints, type ReleasesDeps } from '../../core/devices/push/release-endpoint.ts';
import { measureOldestRelease } from '../../core/devices/push/push-metrics.ts';

/** Milliseconds: leaves enough of the Lambda's time for the last calls. */
const timeLimitMs = 240_000;

/**
 * Deletes the SNS endpoints of removed devices and replaced push tokens. Failures do not fail the Lambda: SNS may be at
 * fault, and the next run tries again.
 */
export const createHandler = (deps: ReleasesDeps) => async (): Promise<void> => {
  const now = Date.now();
  const { done, failed, oldest } = await releaseEndpoints(deps, now + timeLimitMs);
  if (done > 0 || failed > 0) logger.info('released', { done, failed });
  if (oldest !== undefined) measureOldestRelease(now - oldest);
};
