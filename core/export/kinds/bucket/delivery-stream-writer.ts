import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { putRecordBatchLimits } from '../../delivery/batch-limits.ts';
import { newConnections } from '../../delivery/connections.ts';
import type { PackedRecord } from '../../delivery/packing.ts';
import type { BucketDestination } from './record.ts';
import type { Fault, Target } from '../../targets/target.ts';
import type { Writer } from '../../delivery/writer.ts';
import { sendWithRetries, type Delivery, type Sink } from '../../delivery/send-with-retries.ts';
import { deliveryStreamFault, explainDeliveryStreamError } from './delivery-stream-faults.ts';
import { faultsOf, slowTarget } from '../../delivery/delivery-faults.ts';

export const firehoseClient = (): FirehoseClient =>
  new FirehoseClient({ maxAttempts: 1, requestHandler: newConnections() });

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
    patienceMs?: number,
  ): Promise<Delivery> {
    const sink: Sink = {
      limits: putRecordBatchLimits,
      explain: explainDeliveryStreamError,
      slow: slowTarget,
      send: async (batch, abortSignal) => await this.#put(deliveryStreamName, batch, abortSignal),
    };
    return await sendWithRetries(records, deadline, sink, patienceMs);
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
    return faultsOf(batch, RequestResponses, deliveryStreamFault);
  }
}
