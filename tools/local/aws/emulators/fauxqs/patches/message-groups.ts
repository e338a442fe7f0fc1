import { loadInternal } from '../internals.ts';

type Message = { messageGroupId?: string; sequenceNumber?: string };
type Received = { ReceiptHandle: string };

/** The members of the emulator's FIFO queue that this patch uses. */
type Queue = {
  readonly fifoMessages: ReadonlyMap<string, Message[]>;
  readonly fifoLockedGroups: Map<string, number>;
  readonly inflightMessages: ReadonlyMap<string, { message: Message }>;
  processTimers(): void;
  dequeueFifo: (this: Queue, limit: number, ...others: unknown[]) => Received[];
};

const largestBatch = 10;

/** All queues of this process have one prototype. */
let patched: Promise<void> | undefined;

/**
 * A batch has as many messages of a group as were requested, in their order
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html). The
 * emulator returns one message of a group, and reverses the order of messages whose visibility timeout ends together.
 *
 * Remove when fauxqs fills a batch with further messages of the same group, and sorts returned messages by sequence number.
 */
export const deliverWholeGroups = async (): Promise<void> => await (patched ??= patchQueues());

async function patchQueues(): Promise<void> {
  const { SqsQueue } = await loadInternal<{ SqsQueue: { prototype: Queue } }>('sqs/sqsStore.js');
  const { prototype } = SqsQueue;
  const { dequeueFifo: dequeueOneOfEach } = prototype;
  prototype.dequeueFifo = function (limit, ...others) {
    this.processTimers();
    for (const messages of this.fifoMessages.values()) messages.sort(bySequence);
    const taken: Received[] = [];
    const locks = new Map<string, number>();
    const room = Math.min(limit, largestBatch);
    while (taken.length < room) {
      const more = dequeueOneOfEach.call(this, room - taken.length, ...others);
      if (more.length === 0) break;
      taken.push(...more);
      for (const { ReceiptHandle } of more) {
        const group = this.inflightMessages.get(ReceiptHandle)?.message.messageGroupId ?? '';
        locks.set(group, (locks.get(group) ?? 0) + 1);
        // Unlocked for the next round of this call, which nothing interrupts.
        this.fifoLockedGroups.delete(group);
      }
    }
    for (const [group, count] of locks) this.fifoLockedGroups.set(group, count);
    return taken;
  };
}

const bySequence = ({ sequenceNumber: a = '' }: Message, { sequenceNumber: b = '' }: Message): number =>
  a < b ? -1 : Number(a > b);
