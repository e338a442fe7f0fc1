import { isPlace } from '../../../core/export/kinds/records.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { describeTargetStatus, givenUpText } from '../../../core/export/targets/target-status.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { catalogueStoreOf } from '../../targets/catalogue-store.ts';
import { type Finding, type Probe, withoutCrowd } from '../probe.ts';

/** Targets that need action before events flow. A target that recovers by itself is no failure. */
export const targetsProbe: Probe = {
  name: 'targets',
  check: async (deployment) => {
    const { targets: found, malformed } = await catalogueStoreOf(deployment).all();
    const findings = found.map((target) => findingOf(target, deployment));
    return [...withoutCrowd(findings, 'targets', 'need no action'), ...malformed.map(malformedOf)];
  },
};

function findingOf(target: Target, { selector }: Deployment): Finding {
  const { tenantId, category, destination } = target;
  const status = describeTargetStatus(target, Date.now());
  const { state, since, reason, actor, parked } = status;
  const lost = givenUpText(status);
  const subject = `${tenantId} ${category}`;
  if (lost !== undefined && (state === 'active' || actor === 'nobody'))
    return {
      subject,
      ok: false,
      detail: `is ${state}, but ${lost} events were given up and are not in the bucket`,
      fix: `omi replay ${tenantId} ${category} --given-up ${selector}`,
    };
  if (!isPlace(destination) || state === 'active' || actor === 'nobody')
    return { subject, ok: true, detail: isPlace(destination) ? `is ${state}` : 'is not exported' };
  return {
    subject,
    ok: false,
    detail: `is ${state} since ${since}, ${parked} events wait, action required by ${actor}: ${reason}`,
    fix: `omi target ${state === 'paused' ? 'resume' : 'test'} ${tenantId} ${category} ${selector}`,
  };
}

const malformedOf = (key: string): Finding => ({
  subject: key,
  ok: false,
  detail: 'the item is malformed, and its events wait',
  fix: 'Correct the item in the tenants table, or register the target again.',
});
