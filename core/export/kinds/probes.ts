import { BucketClient } from './bucket/bucket-client.ts';
import { type ErrorRecord, recordErrorObjects } from './bucket/error-objects.ts';
import { type OwnershipRecord, proveOwnership, type BucketClaim } from './bucket/ownership.ts';
import { BusProbe } from './bus/bus-probe.ts';
import type { Probes, Probe } from './probe.ts';
import { stsClient } from './role/assumed-role-client.ts';
import { RoleProbe } from './role/role-probe.ts';
import { StreamProbe } from './stream/stream-probe.ts';
import { WebhookProbe } from './webhook/webhook-probe.ts';
import { webhookCaller, type WebhookVariables } from './webhook/webhook-wiring.ts';
import { rfc3339 } from '../../kernel/time.ts';
import { CheckFailed, verificationFault } from './checks.ts';
import { parseArn } from './policies/arn.ts';
import { isRoleOf } from './bucket/provisioning/delivery-stream.ts';
import { provisioningFault } from './bucket/provisioning/provisioning-faults.ts';

const lastCheck = 'omi/last-check.txt';

type Deps = { buckets: Pick<BucketClient, 'open'>; readiness: OwnershipRecord; reports: ErrorRecord };

/** Tries what Firehose will do in the bucket, and has its owner prove that it wants the events. */
export class BucketProbe implements Probe {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Ownership is proven once, before the target becomes active: a later test must not stop a target whose owner does not
   * read the bucket. A paused target that lost its trust must prove it, too.
   */
  async prove(claim: BucketClaim): Promise<undefined> {
    const { buckets, readiness, reports } = this.#deps;
    const { target, now } = claim;
    const { deliveryRoleArn, kmsKeyArn } = target.destination;
    // With another tenant's role the test would only prove that this role may write.
    if (!isRoleOf(target, deliveryRoleArn)) throw new CheckFailed(provisioningFault('ForeignDeliveryRole'));
    const bucket = await buckets.open(target.destination);
    const region = await bucket.region();
    if (kmsKeyArn !== undefined && parseArn(kmsKeyArn).region !== region)
      throw new CheckFailed(verificationFault('BucketElsewhere', `The bucket is in ${region}.`));
    await bucket.write(lastCheck, `The service found that it can write here at ${rfc3339(now)}.`);
    const isTrusted = target.state !== 'validating' && target.verifiedAt !== undefined;
    if (!isTrusted && target.ownership?.provenAt === undefined)
      await proveOwnership(readiness, bucket, claim);
    await recordErrorObjects(reports, bucket, target, now);
  }
}

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
