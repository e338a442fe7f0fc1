import { beforeAll } from '@jest/globals';
import { patientLimits } from '../../../core/tenants/patient-limits.ts';
import type { PushLimits } from '../../../core/tenants/tenant.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { useExclusiveStack } from '../../support/use-stack.ts';

const options = {
  perTenMinutes: '--per-ten-minutes',
  perDay: '--per-day',
  pauseAfter: '--pause-after',
  notMePauseSeconds: '--not-me-pause-seconds',
} as const satisfies Partial<Record<keyof PushLimits, string>>;

type Limits = Partial<Pick<PushLimits, keyof typeof options>>;

/** A stack with the accounts that the demo bank begins with, whose three users may be asked more often than usual. */
export function useBankStack(limits: Limits): TestStack {
  const stack = useExclusiveStack({
    untouched: 'bank',
    putBack: async () => await setLimits(stack, patientLimits),
  });
  beforeAll(async () => await setLimits(stack, limits));
  return stack;
}

async function setLimits(stack: TestStack, limits: Limits): Promise<void> {
  const [, , { tenantId }] = stack.file.tenants;
  const words = Object.entries(options).flatMap(([name, option]) => {
    const limit = limits[name as keyof typeof options];
    return limit === undefined ? [] : [option, String(limit)];
  });
  await jsonOn(stack)('tenant', 'set', tenantId, ...words);
}
