import { rfc3339 } from '../../../kernel/time.ts';
import { CheckFailed, verificationFault } from '../checks.ts';
import { parseArn } from '../policies/arn.ts';
import type { Probe } from '../probe.ts';
import type { BucketClient } from './bucket-client.ts';
import { recordErrorObjects, type ErrorRecord } from './error-objects.ts';
import { proveOwnership, type BucketClaim, type OwnershipRecord } from './ownership.ts';
import { isRoleOf } from './provisioning/delivery-stream.ts';
import { provisioningFault } from './provisioning/provisioning-faults.ts';

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
