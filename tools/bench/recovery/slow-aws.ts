/** DynamoDB, SQS and Kinesis in memory, with the times of AWS, as far as the export of a target uses them. */
import { setTimeout } from 'node:timers/promises';
import type { SQSRecord } from 'aws-lambda';
import type { Delivery } from '../../../core/export/delivery/send-with-retries.ts';
import { sendWithRetries } from '../../../core/export/delivery/send-with-retries.ts';
import { streamFault } from '../../../core/export/kinds/stream/stream-faults.ts';
import { readTarget } from '../../../core/export/targets/target-item.ts';
import type { FoundTargets } from '../../../core/export/targets/target-store.ts';
import type { DrainedRecords, ParkedRecords } from '../../../core/export/delivery/lane-watermark-store.ts';
import { putRecordsLimits } from '../../../core/export/delivery/batch-limits.ts';
import type { Lane } from '../../../core/export/targets/lanes.ts';
import type { PackedRecord } from '../../../core/export/delivery/packing.ts';
import {
  allows,
  transitions,
  type Expected,
  type Transition,
} from '../../../core/export/targets/state-machine.ts';
import { isDrained, type Fault, type Target } from '../../../core/export/targets/target.ts';
import { describeTarget } from '../../../core/events/target-ref.ts';

/** Milliseconds of a call. */
export const took = { read: 5, write: 8, send: 12, receive: 20, put: 20 };
/** Bytes per second of a shard. */
const shardBytes = 1_048_576;

/** One item of the tenants table. */
export class TargetItem {
  target: Target;

  constructor(item: object) {
    const target = readTarget({ ...item });
    if (!target) throw new Error('The item is not a target');
    this.target = target;
  }

  async load(): Promise<FoundTargets> {
    await setTimeout(took.read);
    return { targets: new Map([[describeTarget(this.target), this.#copy()]]), malformed: new Set() };
  }

  async streamsOf(): Promise<FoundTargets> {
    await setTimeout(took.read);
    return { targets: new Map(), malformed: new Set() };
  }

  async transition(
    seen: Expected,
    transition: Transition,
    now: number,
    { fault }: { fault?: Fault | undefined } = {},
  ): Promise<boolean> {
    await setTimeout(took.write);
    if (!allows(transition, this.target, seen)) return false;
    this.target = { ...this.target, state: transitions[transition].to, stateSince: now, fault };
    return true;
  }

  async drain({ parkedThrough }: Target, now: number): Promise<boolean> {
    await setTimeout(took.write);
    const isSame = JSON.stringify(parkedThrough) === JSON.stringify(this.target.parkedThrough);
    if (!isSame && !isDrained(this.target)) return false;
    this.target = { ...this.target, state: 'active', stateSince: now, fault: undefined, waitingSince: {} };
    return true;
  }

  async queue(seen: Target, now: number): Promise<boolean> {
    return allows('queue', seen, seen) && (await this.transition(seen, 'queue', now));
  }

  async parked(_: unknown, { positions, since }: ParkedRecords): Promise<Target> {
    await setTimeout(took.write);
    for (const [lane, position] of positions) {
      if (position <= (this.target.parkedThrough[lane] ?? '')) continue;
      this.target.parkedThrough[lane] = position;
      this.target.waitingSince[lane] ??= since;
    }
    return this.#copy();
  }

  async lane({ watermark: [lane, position], parkedAt }: DrainedRecords): Promise<Target> {
    await setTimeout(took.write);
    const { parkedThrough, drainedThrough, waitingSince } = this.target;
    if (position > (drainedThrough[lane] ?? '')) drainedThrough[lane] = position;
    if ((parkedThrough[lane] ?? '') <= position) Reflect.deleteProperty(waitingSince, lane);
    else waitingSince[lane] = parkedAt;
    return this.#copy();
  }

  #copy = (): Target => structuredClone(this.target);
}

type Waiting = { record: SQSRecord; visibleAt: number };

/** A FIFO queue. A group's messages are in order, and the group waits while one of them is in flight. */
export class Queue {
  readonly #groups = new Map<string, Waiting[]>();
  #sent = 0;

  async park(
    ref: Parameters<typeof describeTarget>[0],
    records: readonly PackedRecord[],
  ): Promise<Delivery & { positions: Map<Lane, string> }> {
    await setTimeout(took.send);
    const positions = new Map<Lane, string>();
    for (const { lane, data, size } of records) {
      this.#sent += 1;
      const position = String(this.#sent).padStart(39, '0');
      positions.set(lane, position);
      this.#add(`${describeTarget(ref)}#${lane}`, position, data, size);
    }
    return { undelivered: [], positions };
  }

  async hold(messages: readonly { messageId: string }[], seconds: number): Promise<void> {
    await setTimeout(took.send);
    const ids = new Set(messages.map(({ messageId }) => messageId));
    for (const one of [...this.#groups.values()].flat())
      if (ids.has(one.record.messageId)) one.visibleAt = Date.now() + seconds * 1_000;
  }

  async receive(most: number, visibility: number): Promise<SQSRecord[]> {
    await setTimeout(took.receive);
    const now = Date.now();
    const taken: Waiting[] = [];
    for (const messages of this.#groups.values())
      if (messages.every(({ visibleAt }) => visibleAt <= now))
        taken.push(...messages.slice(0, most - taken.length));
    return taken.map((one) => {
      one.visibleAt = now + visibility;
      const { attributes } = one.record;
      attributes.ApproximateReceiveCount = String(Number(attributes.ApproximateReceiveCount) + 1);
      return one.record;
    });
  }

  async remove(records: readonly SQSRecord[]): Promise<void> {
    await setTimeout(took.send);
    const gone = new Set(records.map(({ messageId }) => messageId));
    for (const [group, messages] of this.#groups)
      this.#groups.set(
        group,
        messages.filter(({ record }) => !gone.has(record.messageId)),
      );
  }

  #add(group: string, position: string, data: Buffer, size: number): void {
    const record: SQSRecord = {
      ...{ messageId: position, receiptHandle: position, body: data.toString() },
      ...{ md5OfBody: '', eventSource: '', eventSourceARN: '', awsRegion: '' },
      attributes: {
        ...{ MessageGroupId: group, SequenceNumber: position, ApproximateReceiveCount: '0', SenderId: '' },
        ...{ ApproximateFirstReceiveTimestamp: '', SentTimestamp: String(Date.now()) },
      },
      messageAttributes: { events: { dataType: 'Number', stringValue: String(size) } },
    };
    this.#groups.set(group, [...(this.#groups.get(group) ?? []), { record, visibleAt: 0 }]);
  }
}

const throttled = streamFault('ProvisionedThroughputExceededException');

/** A stream with a shard for each lane. */
export class Stream {
  isStalled = false;
  readonly #room = new Map<Lane, { bytes: number; at: number }>();

  async deliver(
    _: unknown,
    records: readonly PackedRecord[],
    deadline: number,
    patience?: number,
  ): Promise<Delivery> {
    const sink = {
      limits: putRecordsLimits,
      explain: () => throttled,
      send: async (batch: PackedRecord[]) => {
        await setTimeout(took.put);
        return batch.map((record) => (this.#take(record) ? undefined : throttled));
      },
    };
    return await sendWithRetries(records, deadline, sink, patience);
  }

  /** Accepts the bytes of one second at once. */
  #take({ lane, data }: PackedRecord): boolean {
    const now = Date.now();
    const before = this.#room.get(lane) ?? { bytes: shardBytes, at: now };
    const bytes = Math.min(shardBytes, before.bytes + ((now - before.at) / 1_000) * shardBytes);
    const isTaken = !this.isStalled && data.length <= bytes;
    this.#room.set(lane, { bytes: isTaken ? bytes - data.length : bytes, at: now });
    return isTaken;
  }
}
