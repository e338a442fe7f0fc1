import { eachKind } from '../../../../core/export/kinds/each-kind.ts';
import { sendWithRetries } from '../../../../core/export/delivery/send-with-retries.ts';
import {
  putRecordBatchLimits,
  putRecordsLimits,
  type BatchLimits,
} from '../../../../core/export/delivery/batch-limits.ts';
import type { PackedRecord } from '../../../../core/export/delivery/packing.ts';
import type { Destination } from '../../../../core/export/kinds/records.ts';
import type { Fault, Target } from '../../../../core/export/targets/target.ts';
import { describeTarget, type TargetRef } from '../../../../core/events/target-ref.ts';
import { CatchUpAttempts } from '../../../../core/export/delivery/catch-up-attempts.ts';
import type { DeliveryDeps } from '../../../../core/export/delivery/delivery-deps.ts';
import { exportBatch } from '../../../../core/export/delivery/export-batch.ts';
import type { Sink } from '../sink.ts';
import { readEvents, type Strategy } from './strategy.ts';

const refused: Fault = { actor: 'nobody', code: 'Refused', reason: 'The sink refused.' };
const soon = 60_000;

const destinations = {
  stream: (tenantId: string): Destination => ({
    kind: 'stream',
    streamArn: tenantId,
    roleArn: '',
    externalId: '',
    lanes: 2,
  }),
  bucket: (tenantId: string): Destination => ({
    kind: 'bucket',
    bucket: 'events-of-tenant',
    deliveryStreamName: tenantId,
    deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  }),
};

function targetOf(ref: TargetRef, kind: 'stream' | 'bucket'): Target {
  const destination = destinations[kind](ref.tenantId);
  const counts = { acceptedCount: 0, deliveredCount: 0, parkedCount: 0 };
  const waiting = { parkedThrough: {}, drainedThrough: {}, waitingSince: {} };
  return { ...ref, destination, state: 'active', stateSince: 0, ...counts, ...waiting };
}

function writeTo(sink: Sink, limits: BatchLimits) {
  return async (target: string, records: readonly PackedRecord[]) =>
    await sendWithRetries(records, Date.now() + soon, {
      limits,
      explain: () => refused,
      send: async (batch) => {
        const taken = await sink(
          target,
          batch.map(({ lane, data }) => ({ partitionKey: lane, data })),
        );
        return taken.map((isTaken) => (isTaken ? undefined : refused));
      },
    });
}

const unused = (): never => {
  throw new Error('The benchmark parks nothing');
};

/** The service's whole exporter, with the sink in place of AWS. */
function depsFor(sink: Sink, kind: 'stream' | 'bucket'): DeliveryDeps {
  const toStream = writeTo(sink, putRecordsLimits);
  const toBucket = writeTo(sink, putRecordBatchLimits);
  return {
    targets: {
      load: async (refs) =>
        await Promise.resolve({
          targets: new Map(refs.map((ref) => [describeTarget(ref), targetOf(ref, kind)])),
          malformed: new Set<string>(),
        }),
      transition: unused,
      queue: unused,
      drain: unused,
    },
    writers: {
      ...eachKind(() => ({ deliver: unused })),
      stream: { deliver: async ({ tenantId }, records) => await toStream(tenantId, records) },
      bucket: { deliver: async ({ tenantId }, records) => await toBucket(tenantId, records) },
    },
    requestTest: unused,
    // A separate write, which is not a cost of a record.
    watermarks: { parked: unused, drained: unused, counted: async () => await Promise.resolve() },
    parking: { park: unused, hold: unused },
    deadLetters: { add: unused },
    checks: { ask: unused, hold: unused },
    catchUps: new CatchUpAttempts(),
  };
}

export const ours = (kind: 'stream' | 'bucket'): Strategy => ({
  name: `ours, to a ${kind}`,
  read: readEvents,
  deliver: async (batch, sink) => {
    const left = await exportBatch(depsFor(sink, kind), batch);
    if (left.length > 0) throw new Error('The sink did not accept everything');
  },
});
