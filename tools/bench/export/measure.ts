import type { DynamoDBRecord } from 'aws-lambda';
import { groupByTarget, sortBySequence } from '../../../core/events/event-stream.ts';
import { describeTarget } from '../../../core/events/target-ref.ts';
import { putRecordBatchLimits, putRecordsLimits } from '../../../core/export/delivery/batch-limits.ts';
import { CatchUpAttempts } from '../../../core/export/delivery/catch-up-attempts.ts';
import { UnansweredTargets } from '../../../core/export/delivery/unanswered-targets.ts';
import { HandledEvents } from '../../../core/export/delivery/handled-events.ts';
import { byKind } from '../../../core/export/kinds/records.ts';
import { exportBatch } from '../../../core/export/delivery/export-batch.ts';
import type { DeliveryDeps } from '../../../core/export/delivery/delivery-deps.ts';
import { pack, type PackedRecord } from '../../../core/export/delivery/packing.ts';
import { sendWithRetries } from '../../../core/export/delivery/send-with-retries.ts';
import type { Destination } from '../../../core/export/kinds/records.ts';
import type { Fault, Target } from '../../../core/export/targets/target.ts';
import type { Workload } from './scenario.ts';

export type Kind = 'stream' | 'bucket';
type Exported = readonly DynamoDBRecord[];

/** One call, with true for each accepted record. A call that is rejected as a whole throws. */
type Sink = (records: readonly PackedRecord[]) => boolean[];

const refused: Fault = { actor: 'nobody', code: 'Refused', reason: 'The sink refused.' };
const unused = (): never => {
  throw new Error('The benchmark parks nothing');
};

const destinationOf = (kind: Kind, tenantId: string): Destination =>
  kind === 'stream'
    ? { kind, streamArn: tenantId, roleArn: '', externalId: '', lanes: 2 }
    : { kind, bucket: 'events', deliveryStreamName: tenantId, deliveryRoleArn: '' };

/** The service's whole exporter, with the sink in place of AWS. */
function exporterTo(sink: Sink, kind: Kind): (batch: Exported) => Promise<void> {
  const counts = { acceptedCount: 0, deliveredCount: 0, parkedCount: 0 };
  const waiting = { parkedThrough: {}, drainedThrough: {}, waitingSince: {} };
  const targetOf = (ref: Pick<Target, 'tenantId' | 'category'>): Target => ({
    ...{ ...ref, ...counts, ...waiting, state: 'active', stateSince: 0 },
    destination: destinationOf(kind, ref.tenantId),
  });
  const limits = kind === 'stream' ? putRecordsLimits : putRecordBatchLimits;
  const deliver = async (_: unknown, records: readonly PackedRecord[]) =>
    await sendWithRetries(records, Date.now() + 60_000, {
      ...{ limits, explain: () => refused },
      send: async (call) =>
        await Promise.resolve(sink(call).map((isTaken) => (isTaken ? undefined : refused))),
    });
  const load: DeliveryDeps['targets']['load'] = async (refs) => {
    const targets = new Map(refs.map((ref) => [describeTarget(ref), targetOf(ref)]));
    return await Promise.resolve({ targets, malformed: new Set<string>() });
  };
  const deps: DeliveryDeps = {
    targets: { load, streamsOf: unused, transition: unused, queue: unused, drain: unused },
    writers: { ...byKind(() => ({ deliver: unused })), stream: { deliver }, bucket: { deliver } },
    // A separate write, which is not a cost of a record.
    watermarks: { parked: unused, drained: unused, counted: async () => await Promise.resolve() },
    ...{ parking: { park: unused, hold: unused }, deadLetters: { add: unused }, requestTest: unused },
    ...{
      checks: { ask: unused, hold: unused },
      attempts: { note: async () => await Promise.resolve() },
      givenUp: { refused: unused },
      catchUps: new CatchUpAttempts(),
      handled: new HandledEvents(),
      unanswered: new UnansweredTargets(),
    },
  };
  return async (batch) => {
    if ((await exportBatch(deps, batch)).length > 0) throw new Error('The sink did not accept everything');
  };
}

/** The fewest units: all events of a tenant in a batch as one record, without any separator, rounded up. */
function minimum({ batches, events }: Workload, unit: number): number {
  let units = 0;
  for (const batch of batches) {
    const bytes = new Map<string, number>();
    for (const { dynamodb } of batch) {
      const event = events.get(dynamodb?.NewImage?.['sk']?.S ?? '');
      if (event) bytes.set(event.tenantId, (bytes.get(event.tenantId) ?? 0) + event.bytes);
    }
    for (const sum of bytes.values()) units += Math.ceil(sum / unit);
  }
  return units;
}

/** Calls for 1,000 events, and billed units (of 1 KB, or 5 KB for a bucket) over the fewest possible. */
export async function measureCosts(kind: Kind, workload: Workload): Promise<{ calls: number; over: number }> {
  const unit = (kind === 'stream' ? 1 : 5) * 1_024;
  let [calls, units] = [0, 0];
  const deliver = exporterTo((records) => {
    calls += 1;
    for (const { data } of records) units += Math.ceil(data.length / unit);
    return records.map(() => true);
  }, kind);
  for (const batch of workload.batches) await deliver(batch);
  return { calls: (calls / workload.events.size) * 1_000, over: units / minimum(workload, unit) };
}

/** Only the steps from Lambda's event to the records: grouping, sorting and packing. */
async function packOnly(batch: Exported): Promise<void> {
  for (const { events } of groupByTarget([...batch]).groups)
    pack(sortBySequence(events), { lanes: 2, lineEnd: '' });
  await Promise.resolve();
}

/** Parses and writes the same events once, which is the least that any exporter does with them. */
async function copyOnly(batch: Exported): Promise<void> {
  for (const { dynamodb } of batch) JSON.stringify(JSON.parse(dynamodb?.NewImage?.['event']?.S ?? '{}'));
  await Promise.resolve();
}

const ways = {
  'parse and write each event (control)': copyOnly,
  'packing alone': packOnly,
  'the exporter, to streams': exporterTo((records) => records.map(() => true), 'stream'),
  'the exporter, to buckets': exporterTo((records) => records.map(() => true), 'bucket'),
};

/** Events per second of processor time, with a sink that needs none. The ways take turns. */
export async function measureSpeed(
  { batches, events }: Workload,
  rounds: number,
): Promise<Record<string, number[]>> {
  const speeds: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round += 1)
    for (const [way, deliver] of Object.entries(ways)) {
      const before = process.cpuUsage();
      for (const batch of batches) await deliver(batch);
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round > 0) (speeds[way] ??= []).push(events.size / ((user + system) / 1e6));
    }
  return speeds;
}
