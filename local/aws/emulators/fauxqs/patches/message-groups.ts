type Message = { messageGroupId?: string; sequenceNumber?: string };
type Received = { ReceiptHandle: string };

/** What of the emulator's FIFO queue is changed here. */
export type GroupedQueue = {
  readonly fifoMessages: ReadonlyMap<string, Message[]>;
  readonly fifoLockedGroups: Map<string, number>;
  readonly inflightMessages: ReadonlyMap<string, { message: Message }>;
  processTimers(): void;
  dequeueFifo: (this: GroupedQueue, most: number, ...others: unknown[]) => Received[];
};

const MOST = 10;

const compare = ({ sequenceNumber: a = '' }: Message, { sequenceNumber: b = '' }: Message): number =>
  a < b ? -1 : Number(a > b);

/**
 * SQS hands out as many messages of a group at once as were asked for, in their order
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html). The
 * emulator hands out one, and those that were held together would come back in the opposite order.
 */
export function handOutGroups(queue: GroupedQueue): void {
  const { dequeueFifo: oneOfEach } = queue;
  queue.dequeueFifo = function (this: GroupedQueue, most, ...others) {
    this.processTimers();
    for (const messages of this.fifoMessages.values()) messages.sort(compare);
    const taken: Received[] = [];
    const locks = new Map<string, number>();
    const room = Math.min(most, MOST);
    while (taken.length < room) {
      const more = oneOfEach.call(this, room - taken.length, ...others);
      if (more.length === 0) break;
      taken.push(...more);
      for (const { ReceiptHandle } of more) {
        const group = this.inflightMessages.get(ReceiptHandle)?.message.messageGroupId ?? '';
        locks.set(group, (locks.get(group) ?? 0) + 1);
        // For the next round; until the end of this call nobody else looks.
        this.fifoLockedGroups.delete(group);
      }
    }
    for (const [group, count] of locks) this.fifoLockedGroups.set(group, count);
    return taken;
  };
}
