import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { putRecordsLimits } from '../../delivery/batch-limits.ts';
import { targetsAtOnce } from '../../delivery/concurrency.ts';
import { slowTarget } from '../../delivery/delivery-faults.ts';
import type { PackedRecord } from '../../delivery/packing.ts';
import { sendWithRetries, type Delivery, type Sink } from '../../delivery/send-with-retries.ts';
import type { Writer } from '../../delivery/writer.ts';
import { explicitHashKey } from '../../targets/lanes.ts';
import type { Fault, Target } from '../../targets/target.ts';
import { RoleClients, type Credentials } from '../role/role-clients.ts';
import type { StreamDestination } from './record.ts';
import { explainStreamError, streamFault } from './stream-faults.ts';
import { streamRole } from './stream-role.ts';

/**
 * HTTP/1.1 from one pool for all tenants. The client's default, HTTP/2, would keep one session for each tenant, and stand-ins
 * for Kinesis rarely support it.
 */
const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  // As long as a redelivery waits, so that slow answers still arrive.
  requestTimeout: 10_000,
  throwOnRequestTimeout: true,
  // The SDK's 50 connections would be a queue in front of all streams of a region.
  httpAgent: { maxSockets: targetsAtOnce },
  httpsAgent: { maxSockets: targetsAtOnce },
});

/** Writes into tenants' own Kinesis streams, with the roles that the tenants gave. */
export class StreamWriter implements Writer {
  readonly #clients: RoleClients<KinesisClient>;

  constructor(credentials: Credentials) {
    this.#clients = new RoleClients(
      credentials,
      (settings) => new KinesisClient({ ...settings, maxAttempts: 1, requestHandler }),
    );
  }

  async deliver(
    { destination }: Target & { destination: StreamDestination },
    records: readonly PackedRecord[],
    deadline: number,
    patience?: number,
  ): Promise<Delivery> {
    const sink: Sink = {
      limits: putRecordsLimits,
      explain: explainStreamError,
      slow: slowTarget,
      send: async (batch, signal) =>
        await this.#clients.call(
          streamRole(destination),
          async (client) => await put(client, destination.streamArn, batch, signal),
        ),
    };
    return await sendWithRetries(records, deadline, sink, patience);
  }
}

async function put(
  client: KinesisClient,
  StreamARN: string,
  batch: PackedRecord[],
  abortSignal: AbortSignal,
): Promise<(Fault | undefined)[]> {
  const command = new PutRecordsCommand({
    StreamARN,
    Records: batch.map(({ lane, data }) => ({
      Data: data,
      PartitionKey: lane,
      ExplicitHashKey: explicitHashKey(lane),
    })),
  });
  const { Records = [] } = await client.send(command, { abortSignal });
  return batch.map((_, index) => {
    const { ErrorCode, ErrorMessage } = Records[index] ?? { ErrorCode: 'NoAnswer' };
    return ErrorCode ? streamFault(ErrorCode, ErrorMessage) : undefined;
  });
}
