import { BucketClient } from './bucket/bucket-client.ts';
import type { ErrorRecord } from './bucket/error-objects.ts';
import type { OwnershipRecord } from './bucket/ownership.ts';
import { BucketProbe } from './bucket/bucket-probe.ts';
import { BusProbe } from './bus/bus-probe.ts';
import type { Probes } from './probe.ts';
import { stsClient } from './role/assumed-role-client.ts';
import { RoleProbe } from './role/role-probe.ts';
import { StreamProbe } from './stream/stream-probe.ts';
import { WebhookProbe } from './webhook/webhook-probe.ts';
import { webhookCaller, type WebhookVariables } from './webhook/webhook-wiring.ts';

/** The probe of each kind, for the bundle of the Lambda that tests targets. */
export function createProbes(
  env: WebhookVariables,
  records: { readiness: OwnershipRecord; reports: ErrorRecord },
): Probes {
  const sts = stsClient();
  const roles = new RoleProbe(sts);
  return {
    stream: new StreamProbe(roles),
    bucket: new BucketProbe({ buckets: new BucketClient(sts), ...records }),
    bus: new BusProbe(roles),
    webhook: new WebhookProbe(webhookCaller(env)),
    // Only its receiver tests a stream of signals, by a verification.
    signals: { prove: async () => await Promise.resolve(undefined) },
  };
}
