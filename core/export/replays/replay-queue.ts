import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { replay as schema, type Replay } from './replay.ts';
import { holdInBatches, type Held } from '../../aws/batch-queue.ts';

/** Seconds: the longest delay of SQS. */
const longestDelaySeconds = 900;

/** Running replays, with one message for the next portion of each. */
export class ReplayQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** @param seconds until the message can be received */
  async send(replay: Replay, seconds: number): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#url,
        MessageBody: JSON.stringify(replay),
        DelaySeconds: Math.min(longestDelaySeconds, seconds),
      }),
    );
  }

  /** Sets when messages come again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches({ client: this.#client, url: this.#url }, messages);
  }
}

/** @returns nothing for an unreadable message */
export function readReplay(body: string): Replay | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body);
  return result.success ? result.output : undefined;
}
