import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** What will never be delivered as it is, and why; for people. */
export type DeadLetter = {
  reason: string;
  /** Names the item or message, so that it can be found where it came from. */
  source: Record<string, unknown>;
  content?: unknown;
};

/** Leaves room in a message of 1 MiB; a longer content stays where `source` says. */
const longestContent = 900_000;

/** An SQS queue that people look into. */
export class DeadLetterQueue {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  async add({ reason, source, content }: DeadLetter): Promise<void> {
    const isShort = Buffer.byteLength(JSON.stringify(content ?? null)) <= longestContent;
    const MessageBody = JSON.stringify({ reason, source, ...(isShort && { content }) });
    await this.#client.send(new SendMessageCommand({ QueueUrl: this.#url, MessageBody }));
  }
}
