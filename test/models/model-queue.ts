import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';

type Entry = { MessageBody: string; MessageGroupId: string };
type Command = { input: { Entries?: Entry[] } };

/** The FIFO queue of one lane. The run of the model says which position the next record gets: SQS may know it from before. */
export class ModelQueue {
  nextPosition = 0;
  readonly #waiting: SQSRecord[] = [];
  #last = 0;

  /** As much of a client as the parking queue uses. */
  get client(): SQSClient {
    const send = async (command: Command): Promise<unknown> => await Promise.resolve(this.#answer(command));
    return { send } as unknown as SQSClient;
  }

  get head(): SQSRecord | undefined {
    return this.#waiting[0];
  }

  delete(): void {
    this.#waiting.shift();
  }

  /** To hide a message, or to park one: only that has a body. */
  #answer({ input: { Entries: [entry] = [] } }: Command): unknown {
    if (!entry?.MessageBody) return { Successful: [] };
    const position = this.nextPosition;
    if (position > this.#last) this.#waiting.push(recordOf(entry, position));
    this.#last = Math.max(this.#last, position);
    return { Successful: [{ Id: '0', SequenceNumber: String(position) }] };
  }
}

const recordOf = ({ MessageBody, MessageGroupId }: Entry, position: number): SQSRecord => ({
  messageId: String(position),
  receiptHandle: String(position),
  body: MessageBody,
  attributes: {
    MessageGroupId,
    SequenceNumber: String(position),
    ApproximateReceiveCount: '1',
    ApproximateFirstReceiveTimestamp: '',
    SenderId: '',
    SentTimestamp: String(Date.now()),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: '',
  eventSourceARN: '',
  awsRegion: '',
});
