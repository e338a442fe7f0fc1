import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { putRecordBatchLimits } from '../../delivery/batch-limits.ts';
import { targetsAtOnce } from '../../delivery/concurrency.ts';
import type { PackedRecord } from '../../delivery/packing.ts';
import type { BucketDestination } from './record.ts';
import type { Fault, Target } from '../../targets/target.ts';
import type { Writer } from '../../delivery/writer.ts';
import { sendWithRetries, type Delivery, type Sink } from '../../delivery/send-with-retries.ts';
import { deliveryStreamFault, explainDeliveryStreamError } from './delivery-stream-faults.ts';
import { slowTarget } from '../../delivery/delivery-faults.ts';

export const firehoseClient = (): FirehoseClient =>
  new FirehoseClient({
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      // As long as a redelivery waits, so that slow answers still arrive.
      requestTimeout: 10_000,
      throwOnRequestTimeout: true,
      // The SDK's 50 connections would be a queue in front of all delivery streams.
      httpAgent: { maxSockets: targetsAtOnce },
      httpsAgent: { maxSockets: targetsAtOnce },
    }),
  });

/**
 * Writes into the service's own Firehose streams, which write into tenants' buckets. Each record ends its own line, so the
 * delivery streams append no delimiter.
 */
export class DeliveryStreamWriter implements Writer {
  readonly #client: FirehoseClient;

  constructor(client: FirehoseClient) {
    this.#client = client;
  }

  async deliver(
    { destination: { deliveryStreamName } }: Target & { destination: BucketDestination },
    records: readonly PackedRecord[],
    deadline: number,
    patience?: number,
  ): Promise<Delivery> {
    const sink: Sink = {
      limits: putRecordBatchLimits,
      explain: explainDeliveryStreamError,
      slow: slowTarget,
      send: async (batch, abortSignal) => await this.#put(deliveryStreamName, batch, abortSignal),
    };
    return await sendWithRetries(records, deadline, sink, patience);
  }

  async #put(
    DeliveryStreamName: string,
    batch: PackedRecord[],
    abortSignal: AbortSignal,
  ): Promise<(Fault | undefined)[]> {
    const command = new PutRecordBatchCommand({
      DeliveryStreamName,
      Records: batch.map(({ data }) => ({ Data: data })),
    });
    const { RequestResponses = [] } = await this.#client.send(command, { abortSignal });
    return batch.map((_, index) => {
      const { ErrorCode, ErrorMessage } = RequestResponses[index] ?? { ErrorCode: 'NoAnswer' };
      return ErrorCode ? deliveryStreamFault(ErrorCode, ErrorMessage) : undefined;
    });
  }
}
