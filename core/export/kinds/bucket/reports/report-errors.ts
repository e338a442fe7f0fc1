import { describeTarget, type TargetRef } from '../../../../events/target-ref.ts';
import { describeFault, logger } from '../../../../kernel/observability.ts';
import { targetOfDeliveryStream } from '../provisioning/delivery-stream.ts';
import type { BucketReports } from './bucket-report-store.ts';
import type { Target } from '../../../targets/target.ts';
import type { TargetStore } from '../../../targets/target-store.ts';
import type { DeliveryError } from './delivery-log.ts';
import { isBucket } from '../record.ts';
import { firehoseFault } from './firehose-errors.ts';
import type { WatchedBuckets } from '../../../targets/watched-bucket-store.ts';

export type ReportDeps = {
  targets: Pick<TargetStore, 'load'>;
  reports: Pick<BucketReports, 'failing'>;
  watched: Pick<WatchedBuckets, 'add'>;
  requestTest: (ref: TargetRef) => Promise<unknown>;
  /** The prefix of the names of this deployment's delivery streams. */
  deliveryStreamPrefix: string;
};

/** A report that another write overtook is read and made again. */
const attempts = 3;

/** True if the error is about the target's bucket. Firehose may still report an earlier one. */
const concerns = ({ destination }: Target, { bucket, deliveryStream }: DeliveryError): boolean =>
  isBucket(destination) && destination.bucket === bucket && destination.deliveryStreamName === deliveryStream;

async function reportTo(deps: ReportDeps, ref: TargetRef, error: DeliveryError): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const target = (await deps.targets.load([ref])).targets.get(describeTarget(ref));
    if (!target || !concerns(target, error)) return;
    const isNew = target.bucketTrouble === undefined;
    if (!(await deps.reports.failing(target, firehoseFault(error.code, error.message), error))) continue;
    // Each time: what is not watched would stay in the target's record.
    await deps.watched.add(ref);
    // The test looks for what the tenant must change. One that fails is repeated by itself.
    if (isNew) await deps.requestTest(ref);
    return;
  }
  throw new Error('The report was overtaken by other writes');
}

/**
 * Writes what Firehose reports into the targets' records, and asks for a test of each.
 *
 * @throws if one of them could not be written: all are reported again
 */
export async function reportErrors(deps: ReportDeps, errors: readonly DeliveryError[]): Promise<void> {
  const failed: unknown[] = [];
  for (const error of errors) {
    const ref = targetOfDeliveryStream(deps.deliveryStreamPrefix, error.deliveryStream);
    // The tenant's record has the message, which may name its resources.
    logger.warn('bucket not written', { ...ref, code: error.code });
    if (!ref) continue;
    try {
      await reportTo(deps, ref, error);
    } catch (reason) {
      logger.error('not reported', { ...ref, fault: describeFault(reason) });
      failed.push(reason);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, 'Some reports could not be written');
}
