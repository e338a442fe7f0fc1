import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { sendMessageBatchLimits } from './batch-limits.ts';
import type { Lane } from '../targets/lanes.ts';
import { unpack, type PackedRecord } from './packing.ts';
import type { Fault } from '../targets/target.ts';
import { describeTarget, isTargetName, type TargetRef } from '../../events/target-ref.ts';
import { sendWithRetries, type Delivery } from './send-with-retries.ts';
import { holdInBatches } from '../../aws/batch-queue.ts';

/** A packed record that waits. */
export type ParkedMessage = {
  ref: TargetRef;
  lane: Lane;
  /** Position in its lane, as sortable text. */
  position: string;
  /** The record's events, with commas between them. */
  events: string;
  count: number;
  /** When it was parked, in milliseconds since 1970. */
  parkedAt: number;
  /** How often it was taken from the queue, this time included. */
  attempt: number;
  messageId: string;
  receiptHandle: string;
};

/** SQS's sequence numbers have up to 128 bits; as text of one length they sort as numbers do. */
const positionOf = (sequenceNumber: string): string => sequenceNumber.padStart(39, '0');

const groupOf = (ref: TargetRef, lane: Lane): string => `${describeTarget(ref)}#${lane}`;

/** An error of SQS is the service's own, and it passes. */
const explain = (error: unknown): Fault => ({
  actor: 'nobody',
  code: error instanceof Error ? error.name : 'Unknown',
  reason: `The parking queue does not answer: ${String(error)}`,
});

function entryOf(ref: TargetRef, { lane, data, size }: PackedRecord, replayId: string) {
  const MessageGroupId = groupOf(ref, lane);
  return {
    MessageBody: data.toString().trimEnd(),
    MessageGroupId,
    // A batch that comes again within five minutes, and is packed in the same way, is parked once.
    MessageDeduplicationId: createHash('sha256')
      .update(MessageGroupId)
      .update(data)
      .update(replayId)
      .digest('hex'),
    MessageAttributes: { events: { DataType: 'Number', StringValue: String(size) } },
  };
}

/** `positions` has the last parked record of each lane. */
export type Parking = Delivery & { positions: Map<Lane, string> };

/**
 * The SQS FIFO queue of records that their targets did not take, with a message group for each lane of each target. SQS
 * hands out a group's messages in the order of sending, and none while earlier ones are being delivered.
 *
 * SQS looks for messages only among the first 120,000 of the queue. Messages behind so many of broken targets wait with
 * them
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/avoid-backlog-with-the-same-message-group-id.html).
 */
export class ParkingQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /**
   * In order within each lane.
   *
   * @param deadline milliseconds since 1970
   * @param replayId of replayed events: without it SQS would drop them as duplicates
   */
  async park(
    ref: TargetRef,
    records: readonly PackedRecord[],
    deadline: number,
    replayId = '',
  ): Promise<Parking> {
    const positions = new Map<Lane, string>();
    const delivery = await sendWithRetries(records, deadline, {
      limits: sendMessageBatchLimits,
      explain,
      send: async (batch, abortSignal) => {
        const entries = batch.map((record) => entryOf(ref, record, replayId));
        return await this.#send(batch, entries, positions, abortSignal);
      },
    });
    return { ...delivery, positions };
  }

  /** Hides messages for so many seconds, and with them all messages behind them in their groups. */
  async hold(messages: readonly ParkedMessage[], seconds: number): Promise<void> {
    const held = messages.map(({ receiptHandle }) => ({ receiptHandle, seconds }));
    await holdInBatches({ client: this.#client, url: this.#url }, held);
  }

  async #send(
    batch: PackedRecord[],
    entries: ReturnType<typeof entryOf>[],
    positions: Map<Lane, string>,
    abortSignal: AbortSignal,
  ): Promise<(Fault | undefined)[]> {
    const Entries = entries.map((entry, index) => ({ ...entry, Id: String(index) }));
    const command = new SendMessageBatchCommand({ QueueUrl: this.#url, Entries });
    const { Successful = [], Failed = [] } = await this.#client.send(command, { abortSignal });
    for (const { Id, SequenceNumber = '' } of Successful) {
      const lane = batch[Number(Id)]?.lane;
      if (lane !== undefined) positions.set(lane, positionOf(SequenceNumber));
    }
    return batch.map((_, index) => {
      if (Successful.some(({ Id }) => Id === String(index))) return undefined;
      const { Code = 'NoAnswer', Message } = Failed.find(({ Id }) => Id === String(index)) ?? {};
      return {
        actor: 'nobody',
        code: Code,
        reason: `The parking queue rejects a record: ${String(Message)}`,
      };
    });
  }
}

/** A message of the queue as Lambda hands it over. */
export function readParkedMessage(record: SQSRecord): ParkedMessage {
  const {
    MessageGroupId = '',
    SequenceNumber = '',
    ApproximateReceiveCount,
    SentTimestamp,
  } = record.attributes;
  const [tenantId, category, lane] = MessageGroupId.split('#');
  if (!tenantId || !isTargetName(category) || !lane)
    throw new Error(`${MessageGroupId} is not a message group of parked records`);
  return {
    ref: { tenantId, category },
    lane,
    position: positionOf(SequenceNumber),
    events: unpack(record.body),
    count: Number(record.messageAttributes['events']?.stringValue ?? 1),
    parkedAt: Number(SentTimestamp),
    attempt: Number(ApproximateReceiveCount),
    messageId: record.messageId,
    receiptHandle: record.receiptHandle,
  };
}
