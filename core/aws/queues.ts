/** The queues. `lib/` creates them from this in the cloud and `local/` on the local stack. */
export type QueueDefinition = {
  /** Seconds for which a message that was taken is kept from others: at least the time limit of the Lambda behind. */
  visibilityTimeout: number;
  /** A message that was taken this often goes to the queue's dead letters; a queue that people read has none. */
  maxReceiveCount?: number;
  /** Order within each message group. */
  fifo?: true;
};

export const queues = {
  /**
   * Confirmations that may expire, delayed until they do. After a failure the Lambda says itself when a message comes
   * again, up to every five minutes: all of a confirmation's time, 24 h from its end on, goes by before one is a dead
   * letter. The short visibility is for a Lambda that died: it leaves time within the minute that an expiry may take.
   */
  expiry: { visibilityTimeout: 30, maxReceiveCount: 300 },
  /**
   * Records that their targets did not take, in order. After a failure the Lambda says itself when a message comes
   * again, up to an hour: none is taken this often, the most that SQS can be told, in the 14 days that a queue keeps it.
   */
  parking: { visibilityTimeout: 30, maxReceiveCount: 1_000, fifo: true },
  /**
   * Targets whose delivery stream may have to change. A step that is not done comes again within 30 s: for four hours,
   * while a role or a key takes effect, or until the target's record has long said what is wrong.
   */
  provisioning: { visibilityTimeout: 90, maxReceiveCount: 500 },
  /**
   * The next portion of each replay. A step that died comes again; 30 hours of failures make a dead letter. One that waits
   * is held, and sent anew long before it was taken as often as this.
   */
  replays: { visibilityTimeout: 120, maxReceiveCount: 1_000 },
  /** Targets whose trust is to be tested. Where STS is away, up to five minutes lie between two attempts: about a day. */
  verifications: { visibilityTimeout: 90, maxReceiveCount: 300 },
  /** What no target can ever get, for people to look into. */
  undeliverable: { visibilityTimeout: 30 },
} as const satisfies Record<string, QueueDefinition>;

export type QueueName = keyof typeof queues;
