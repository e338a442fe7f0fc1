import type { Target } from '../../../core/export/targets/target.ts';
import { describeTargetStatus } from '../../../core/export/targets/target-status.ts';
import { catalogueOf } from '../../targets/targets-store.ts';
import type { Check, Finding } from '../check.ts';

/** Where somebody must act before events flow; what mends itself is told, and no fault. */
export const targets: Check = {
  name: 'targets',
  look: async (deployment) => {
    const { targets: found, malformed } = await catalogueOf(deployment).all();
    return [...found.map(findingOf), ...malformed.map(malformedOf)];
  },
};

function findingOf(target: Target): Finding {
  const { tenantId, category, destination } = target;
  const { state, since, reason, actor, parked } = describeTargetStatus(target, Date.now());
  const subject = `${tenantId} ${category}`;
  if (destination.kind === 'none' || state === 'active' || actor === 'nobody')
    return { subject, ok: true, detail: destination.kind === 'none' ? 'goes nowhere' : `is ${state}` };
  return {
    subject,
    ok: false,
    detail: `is ${state} since ${since}, ${parked} events wait, ${actor} must act: ${reason}`,
    fix: fixOf(state, `--tenant ${tenantId} --category ${category}`),
  };
}

const fixOf = (state: string, target: string): string =>
  state === 'paused' ? `omi target resume ${target}` : `omi target test ${target}`;

const malformedOf = (key: string): Finding => ({
  subject: key,
  ok: false,
  detail: 'the item makes no sense, and its events wait',
  fix: 'Correct the item in the tenants table, or register the target anew.',
});
