import { CreateQueueCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { sqsClient } from '../../core/aws/sqs-client.ts';
import type { Backend } from '../../tools/local/aws/endpoint/http.ts';
import { startFauxqs } from '../../tools/local/aws/emulators/fauxqs/start.ts';
import { sqs } from '../../tools/local/aws/protocols/sqs.ts';
import { lambdaRecordOf } from '../../tools/local/event-sources/queue-record.ts';
import { clientOf, startAlone, type Alone } from '../tools/local/aws/clients.ts';

type Input = { Entries?: Record<string, unknown>[] };

/** A queue of the local SQS, reached by the service's own client, with faults and a look at every call. */
export class LocalQueue {
  readonly client = sqsClient();
  /** A long poll takes longer than the service's own client waits, and a poll that is given up takes messages, too. */
  readonly pollingClient: SQSClient;
  readonly url: string;
  readonly #alone: Alone;
  readonly #inputs: { operation: string; input: Input }[];
  readonly #end: () => Promise<void>;

  private constructor(
    url: string,
    parts: { alone: Alone; inputs: LocalQueue['inputs']; end: () => Promise<void> },
  ) {
    this.url = url;
    this.#alone = parts.alone;
    this.pollingClient = new SQSClient(clientOf(parts.alone.url));
    this.#inputs = parts.inputs;
    this.#end = parts.end;
  }

  /** @param name ends in `.fifo` for a queue that keeps an order */
  static async start(name = 'queue'): Promise<LocalQueue> {
    const fauxqs = await startFauxqs();
    const inputs: LocalQueue['inputs'] = [];
    const seen: Backend = (request) => {
      const { operation, input } = sqs.describe(request);
      inputs.push({ operation, input });
      return fauxqs.sqs(request);
    };
    const alone = await startAlone(sqs, seen);
    process.env['AWS_REGION'] = 'eu-central-1';
    process.env['AWS_ACCESS_KEY_ID'] ??= 'TEST';
    process.env['AWS_SECRET_ACCESS_KEY'] ??= 'test';
    process.env['AWS_ENDPOINT_URL_SQS'] = alone.url;
    const { QueueUrl = '' } = await sqsClient().send(new CreateQueueCommand({ QueueName: name }));
    const end = async (): Promise<void> => {
      await alone.close();
      await fauxqs.close();
    };
    return new LocalQueue(QueueUrl, { alone, inputs, end });
  }

  get faults(): Alone['faults'] {
    return this.#alone.faults;
  }

  get inputs(): { operation: string; input: Input }[] {
    return this.#inputs;
  }

  /** The entries of every batch of this kind that SQS got. */
  entries(operation: string): Record<string, unknown>[] {
    return this.#inputs
      .filter((one) => one.operation === operation)
      .flatMap(({ input }) => input.Entries ?? []);
  }

  /** Nothing was sent, nothing is at fault. */
  reset(): void {
    this.#inputs.length = 0;
    this.faults.clear();
  }

  /** As Lambda hands messages over. */
  async receive(): Promise<SQSRecord[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({
        QueueUrl: this.url,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    return Messages.map((message) => lambdaRecordOf(message, { arn: '', region: 'eu-central-1' }));
  }

  async close(): Promise<void> {
    await this.#end();
  }
}
