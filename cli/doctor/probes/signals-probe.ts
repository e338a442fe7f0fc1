import { describeTargetStatus } from '../../../core/export/targets/target-status.ts';
import { statusOf, type Stream } from '../../../core/signals/stream.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { needsAct } from '../../signals/list.ts';
import { streamCatalogueOf } from '../../signals/stream-catalogue.ts';
import { named } from '../../targets/describe-target.ts';
import { type Finding, type Probe, withoutCrowd } from '../probe.ts';

/** Streams of signals. Only the receiver can mend one that it refuses, so it is only a warning. */
export const signalsProbe: Probe = {
  name: 'signals',
  check: async (deployment) => {
    const { targets, malformed, tenants } = await streamCatalogueOf(deployment).all();
    const findings = targets.map((stream) =>
      findingOf(stream, deployment, tenants.get(stream.tenantId)?.name),
    );
    return [...withoutCrowd(findings, 'streams of signals', 'need no action'), ...malformed.map(malformedOf)];
  },
};

function findingOf(stream: Stream, { selector }: Deployment, name: string | undefined): Finding {
  const now = Date.now();
  const { clientId, place } = stream.stream;
  const subject = `${named(stream.tenantId, name)} ${place.streamId}`;
  if (!needsAct(stream, now)) return { subject, ok: true, detail: `is ${statusOf(stream)}` };
  const { state, since, reason, parked, actor } = describeTargetStatus(stream, now);
  return {
    ...{ subject, ok: actor === 'tenant', warning: true },
    detail: `of the client ${clientId} is ${state} since ${since}, ${parked} signals wait, action required by ${actor}: ${reason}`,
    fix: `Tell the tenant. omi signal list ${stream.tenantId} --trouble ${selector}`,
  };
}

const malformedOf = (key: string): Finding => ({
  subject: key,
  ok: false,
  detail: 'the item is malformed, and its signals wait',
  fix: 'Correct the item in the tenants table, or have the receiver make another stream.',
});
