/** The queues. `lib/` creates them from this in the cloud and `tools/local/` on the local stack. */
export type QueueDefinition = {
  /** Seconds for which SQS hides a received message: at least the time limit of its Lambda. */
  visibilityTimeout: number;
  /** After so many receives a message becomes a dead letter. */
  maxReceiveCount?: number;
  /** Why the queue has no dead letters. */
  noDeadLetters?: 'people-read-it' | 'messages-wait';
  /** Order within each message group. */
  fifo?: true;
};

export const queues = {
  /**
   * Confirmations that may expire, delayed until they do. After a failure the Lambda sets when a message comes again, up to
   * five minutes later. So a message becomes a dead letter only after its confirmation is forgotten, 24 h after its end.
   * The visibility timeout is short, so that a message of a Lambda that died is handled within the minute of an expiry.
   */
  expiry: { visibilityTimeout: 30, maxReceiveCount: 300 },
  /**
   * First attempts of callbacks. After a fault of our own the Lambda sets when a message comes again. It becomes a dead letter
   * after a day of faults.
   */
  callbacks: { visibilityTimeout: 30, maxReceiveCount: 300 },
  /**
   * Callbacks that failed, or whose receiver is not known to be quick. The Lambda sets when a message comes again, up to ten
   * hours later. While its receiver is stopped or busy, a message comes about 200 times a day, and it is given up after a day.
   */
  retries: { visibilityTimeout: 30, maxReceiveCount: 1_000 },
  /**
   * Records that their targets did not take, in order. After a failure the Lambda sets when a message comes again, less than a
   * minute later, for the 14 days of its retention. That is more often than the 1,000 receives that SQS allows before a message
   * becomes a dead letter, and a lane would lose its order with it. The Lambda moves a message that it cannot read itself.
   */
  parking: { visibilityTimeout: 30, noDeadLetters: 'messages-wait', fifo: true },
  /**
   * Targets whose delivery stream may have to change. An unfinished step comes again within 30 s, for four hours: a role or a
   * key may take that long to become usable, and the target's record says what is wrong.
   */
  provisioning: { visibilityTimeout: 90, maxReceiveCount: 500 },
  /**
   * The next portion of each replay. A step that died comes again; after 30 hours of failures it becomes a dead letter. A
   * message that waits is held, and sent again long before it was received this often.
   */
  replays: { visibilityTimeout: 120, maxReceiveCount: 1_000 },
  /**
   * Targets whose trust is to be tested. The Lambda sets when a test that failed is repeated, a minute to an hour later. No
   * message is received so often: the next daily test replaces it, or the Lambda drops it before.
   */
  verifications: { visibilityTimeout: 90, maxReceiveCount: 1_000 },
  /** Content that no target can get, for people to look into. */
  undeliverable: { visibilityTimeout: 30, noDeadLetters: 'people-read-it' },
} as const satisfies Record<string, QueueDefinition>;

export type QueueName = keyof typeof queues;
