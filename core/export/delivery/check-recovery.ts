import { markOf, type RecoveryCheck } from './recovery-check-queue.ts';
import { isDrained, isSlow, type Target } from '../targets/target.ts';
import { describeTarget, type TargetRef } from '../../events/target-ref.ts';
import { seconds } from '../../kernel/time.ts';
import { describeFault, logger } from '../../kernel/observability.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

/** Seconds without an event, after which a slow target that has taken everything is active again. */
const quietSeconds = 30;

const askAttempts = 3;

/** Slow, and no event waits whose delivery could show that the target is quick again. */
const isLeftSlow = (target: Target): boolean =>
  target.state === 'degraded' && isSlow(target) && isDrained(target);

/** Sends a check after a slow call, if no event waits for the target. */
export async function checkLater({ targets, checks }: DeliveryDeps, ref: TargetRef): Promise<void> {
  for (let attempt = 1; attempt <= askAttempts; attempt += 1) {
    try {
      const target = (await targets.load([ref])).targets.get(describeTarget(ref));
      if (target && isLeftSlow(target)) await checks.ask(target);
      return;
    } catch (error) {
      const { tenantId, category } = ref;
      logger.warn('recovery check not asked for', {
        tenantId,
        category,
        attempt,
        fault: describeFault(error),
      });
    }
  }
}

async function check({ targets }: DeliveryDeps, { ref, mark }: RecoveryCheck): Promise<void> {
  const target = (await targets.load([ref])).targets.get(describeTarget(ref));
  // Events that came since led to a check of their own, or found the target quick.
  if (!target || !isLeftSlow(target) || markOf(target) !== mark) return;
  await targets.drain(target, Date.now());
  logger.info('recovered', { ...ref });
}

/** @returns ids of the messages that stay in the queue, as it is too early or the tables cannot be reached */
export async function checkRecovery(
  deps: DeliveryDeps,
  asked: readonly RecoveryCheck[],
  now = Date.now(),
): Promise<string[]> {
  const left: string[] = [];
  for (const one of asked) {
    const wait = Math.ceil(quietSeconds - (now - one.askedAt) / seconds);
    try {
      if (wait <= 0) await check(deps, one);
      else await deps.checks.hold(one, wait);
      if (wait > 0) left.push(one.messageId);
    } catch (error) {
      logger.warn('recovery not checked', { ...one.ref, fault: describeFault(error) });
      left.push(one.messageId);
    }
  }
  return left;
}
