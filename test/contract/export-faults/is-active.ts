import { isSlow, type Target } from '../../../core/export/targets/target.ts';

/**
 * Or no worse than slow: on a busy machine a call may take more than a second. Where nothing waits, the next event is what
 * finds the target quick again.
 */
export const isActive = (target: Target): boolean =>
  target.state === 'active' || (target.state === 'degraded' && isSlow(target));
