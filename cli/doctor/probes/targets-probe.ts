import { isPlace } from '../../../core/export/kinds/records.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import {
  describeTargetStatus,
  isShort,
  type TargetStatus,
} from '../../../core/export/targets/target-status.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { acknowledgedText, loadAcknowledged } from '../../targets/acknowledgements.ts';
import { isRotating, type Known, named } from '../../targets/describe-target.ts';
import { catalogueStoreOf } from '../../targets/catalogue-store.ts';
import { type Finding, type Probe, withoutCrowd } from '../probe.ts';

/** Targets that need action before events flow. A target that recovers by itself is no failure. */
export const targetsProbe: Probe = {
  name: 'targets',
  check: async (deployment) => {
    const [{ targets: found, malformed, tenants }, acknowledged] = await Promise.all([
      catalogueStoreOf(deployment).all(),
      loadAcknowledged(deployment),
    ]);
    const now = Date.now();
    const findings = found.map((target) => {
      const tenantName = tenants.get(target.tenantId)?.name;
      return findingOf(target, deployment, { tenantName, acknowledged: acknowledged(target, now) });
    });
    return [...withoutCrowd(findings, 'targets', 'need no action'), ...malformed.map(malformedOf)];
  },
};

function findingOf(target: Target, { selector }: Deployment, { tenantName, acknowledged }: Known): Finding {
  const { tenantId, category, destination } = target;
  const now = Date.now();
  const { state, since, reason, actor, parked, givenUp } = describeTargetStatus(target, now);
  const subject = `${named(tenantId, tenantName)} ${category}`;
  if (isRotating(target) && actor === 'nobody')
    return {
      ...{ subject, ok: true, warning: true },
      detail: 'has two secrets: their rotation is half done',
      fix: `omi target rotate ${tenantId} ${category} --finish, or --cancel ${selector}`,
    };
  if (!isPlace(destination) || state === 'active' || actor === 'nobody')
    return { subject, ok: true, detail: isPlace(destination) ? `is ${state}` : 'is not exported' };
  return {
    subject,
    ok: false,
    detail: `is ${state} since ${since}, ${parked} events wait, action required by ${actor}: ${reason}${idsText(givenUp)}${acknowledged ? ` Acknowledged ${acknowledgedText(acknowledged)}.` : ''}`,
    fix: `omi ${fixOf(target, now)(`${tenantId} ${category}`)} ${selector}`,
  };
}

/** Only of refused events they are known. */
function idsText(givenUp: TargetStatus['givenUp']): string {
  const ids = givenUp?.losses.flatMap(({ eventIds = [] }) => eventIds) ?? [];
  return ids.length === 0 ? '' : ` Undeliverable: ${ids.join(', ')}.`;
}

function fixOf(target: Target, now: number): (of: string) => string {
  if (isShort(target, now)) return (of) => `replay ${of} --given-up`;
  return (of) => `target ${target.state === 'paused' ? 'resume' : 'test'} ${of}`;
}

const malformedOf = (key: string): Finding => ({
  subject: key,
  ok: false,
  detail: 'the item is malformed, and its events wait',
  fix: 'Correct the item in the tenants table, or register the target again.',
});
