import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Content that can never be delivered, and why. For people. */
export type DeadLetter = {
  reason: string;
  /** Names the item or message, so that it can be found where it came from. */
  source: Record<string, unknown>;
  content?: unknown;
};

/** Leaves room in a message of 1 MiB; a longer content stays where `source` says. */
const longestContent = 900_000;

/** The SQS queue that operators read. */
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
