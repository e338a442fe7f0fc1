import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { replay as schema, type Replay } from './replay.ts';
import { holdInBatches, type Held } from '../../aws/batch-queue.ts';

/** SQS delays no longer. */
const longestDelay = 900;

/** Replays that go on: a message for the next portion of each. */
export class ReplayQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** @param seconds until somebody gets it */
  async send(replay: Replay, seconds: number): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#url,
        MessageBody: JSON.stringify(replay),
        DelaySeconds: Math.min(longestDelay, seconds),
      }),
    );
  }

  /** Sets when messages come again. */
  async hold(messages: readonly Held[]): Promise<void> {
    await holdInBatches({ client: this.#client, url: this.#url }, messages);
  }
}

/** @returns nothing for a message that is none of ours */
export function readReplay(body: string): Replay | undefined {
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body);
  return result.success ? result.output : undefined;
}
