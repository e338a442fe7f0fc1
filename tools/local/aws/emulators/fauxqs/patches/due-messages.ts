import { loadInternal } from '../internals.ts';

type Message = { delayUntil?: number };
type Waiting = { resolve: () => void };

/** The members of the emulator's queue that this patch uses. */
type Queue = {
  readonly pollWaiters: readonly Waiting[];
  readonly inflightMessages: ReadonlyMap<string, { visibilityDeadline: number }>;
  readonly delayedMessages: readonly Message[];
  readonly fifoDelayed: ReadonlyMap<string, readonly Message[]>;
  pollTimer: NodeJS.Timeout | undefined;
  processTimers(): void;
  startPollTimerIfNeeded(this: Queue): void;
  enqueue: (this: Queue, message: Message) => void;
  dequeue: (this: Queue, ...options: unknown[]) => readonly unknown[];
  changeVisibility: (this: Queue, ...options: unknown[]) => void;
};

/** The emulator looks so often, whether there is anything to look for or not. */
const shortestMs = 20;

/** All queues of this process have one prototype. */
let patched: Promise<void> | undefined;

/**
 * A queue with a long poll looks at its messages when the next one becomes visible. The emulator looks at each such queue
 * 50 times a second, which took a third of the CPU of an idle stack.
 *
 * Remove when fauxqs sets its timer for the next message, or looks less often.
 */
export const waitForDueMessages = async (): Promise<void> => await (patched ??= patchQueues());

async function patchQueues(): Promise<void> {
  const { SqsQueue } = await loadInternal<{ SqsQueue: { prototype: Queue } }>('sqs/sqsStore.js');
  const { prototype } = SqsQueue;
  const { enqueue, dequeue, changeVisibility } = prototype;
  const timers = new WeakMap<Queue, number>();

  prototype.startPollTimerIfNeeded = function () {
    if (this.pollWaiters.length > 0) lookAt(this, nextDue(this));
  };
  prototype.enqueue = function (message) {
    enqueue.call(this, message);
    if (this.pollWaiters.length > 0) lookAt(this, message.delayUntil ?? Infinity);
  };
  prototype.dequeue = function (...options) {
    const messages = dequeue.apply(this, options);
    if (messages.length > 0) this.startPollTimerIfNeeded();
    return messages;
  };
  prototype.changeVisibility = function (...options) {
    changeVisibility.apply(this, options);
    this.startPollTimerIfNeeded();
  };

  /** An earlier timer stays: it sets the next one. */
  const lookAt = (queue: Queue, due: number): void => {
    if (due === Infinity || (queue.pollTimer && (timers.get(queue) ?? Infinity) <= due)) return;
    clearTimeout(queue.pollTimer);
    timers.set(queue, due);
    queue.pollTimer = setTimeout(
      () => {
        queue.pollTimer = undefined;
        queue.processTimers();
        queue.startPollTimerIfNeeded();
      },
      Math.max(shortestMs, due - Date.now()),
    );
  };
}

/** When the next hidden or delayed message becomes visible. */
function nextDue({ inflightMessages, delayedMessages, fifoDelayed }: Queue): number {
  let due = Infinity;
  for (const { visibilityDeadline } of inflightMessages.values()) due = Math.min(due, visibilityDeadline);
  for (const messages of [delayedMessages, ...fifoDelayed.values()])
    for (const { delayUntil = Infinity } of messages) due = Math.min(due, delayUntil);
  return due;
}
