import type { SQSClient } from '@aws-sdk/client-sqs';
import {
  holdInBatches,
  sendWithRetries,
  type Held,
  type QueueAccess,
  type Unsent,
} from '../aws/batch-queue.ts';
import { bodyOf, type CallbackMessage } from './callback-message.ts';

/** Seconds: the longest delay of SQS. A message that comes too early is held. */
const longestDelaySeconds = 900;

/** A queue of callbacks: of the first attempts, or of all further ones. */
export class CallbackQueue {
  readonly #queue: QueueAccess;

  constructor(client: SQSClient, url: string) {
    this.#queue = { client, url };
  }

  /**
   * @param delay milliseconds
   * @returns the messages that SQS did not accept, in their order, and the reasons
   */
  async send<Message extends CallbackMessage>(
    messages: readonly Message[],
    { delay = 0 } = {},
  ): Promise<Unsent<Message>> {
    const DelaySeconds = Math.min(longestDelaySeconds, Math.ceil(delay / 1000));
    return await sendWithRetries(this.#queue, messages, (message) => ({
      MessageBody: bodyOf(message),
      DelaySeconds,
    }));
  }

  /** Sets when messages are received again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches(this.#queue, messages);
  }
}
