import { describeFault, logger } from '../../kernel/observability.ts';
import { needsTest } from '../targets/test-schedule.ts';
import type { Fault, Target } from '../targets/target.ts';
import type { DeliveryDeps } from './delivery-deps.ts';

type Deps = Pick<DeliveryDeps, 'targets' | 'requestTest'>;

/**
 * Nothing waits any more, and the target takes events. It is active, unless its last test failed: only a test that passes ends
 * what a test found.
 */
export async function endTrouble(deps: Deps, target: Target): Promise<void> {
  if (!target.testFault) await deps.targets.drain(target, Date.now());
  else if (target.state === 'parked') await recover(deps, target);
  else await askForDueTest(deps, target);
}

/** The target takes events again, perhaps slowly. If its last test failed, another one may pass now. */
export async function recover(deps: Deps, target: Target, fault?: Fault): Promise<void> {
  const isApplied = await deps.targets.transition(target, 'recover', Date.now(), { fault });
  if (isApplied && target.state === 'parked' && target.testFault) await askForTest(deps, target);
}

/** Asks for a test if only a test can end the target's fault, and none is near. */
export async function askForDueTest(deps: Deps, target: Target): Promise<void> {
  if (needsTest(target, Date.now())) await askForTest(deps, target);
}

/** If that fails, the next events of the target lead here again. */
async function askForTest({ requestTest }: Deps, { tenantId, category }: Target): Promise<void> {
  try {
    await requestTest({ tenantId, category });
    logger.info('test asked for', { tenantId, category });
  } catch (error) {
    logger.warn('test not asked for', { tenantId, category, fault: describeFault(error) });
  }
}
