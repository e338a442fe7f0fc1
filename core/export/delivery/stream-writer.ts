import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { putRecordsLimits } from './batch-limits.ts';
import { explicitHashKey } from '../targets/lanes.ts';
import type { PackedRecord } from './packing.ts';
import type { Fault, StreamDestination } from '../targets/target.ts';
import type { AssumedRoleClient } from './assumed-role-client.ts';
import { sendWithRetries, type Delivery, type Sink } from './send-with-retries.ts';
import {
  explainStreamError,
  hasStaleCredentials,
  isDenied,
  slowTarget,
  streamFault,
} from './delivery-faults.ts';

/**
 * HTTP/1.1 from one pool for all tenants, in place of the client's HTTP/2: that would keep a session a tenant, and
 * what stands in for Kinesis behind an endpoint of one's own rarely speaks it.
 */
const requestHandler = new NodeHttpHandler({
  connectionTimeout: 1_000,
  // As long as a redelivery waits: a target that is slow in answering has to be heard some time.
  requestTimeout: 10_000,
  throwOnRequestTimeout: true,
});

const clientKey = ({ streamArn, roleArn, externalId }: StreamDestination): string =>
  [streamArn, roleArn, externalId].join(' ');

/** More tenants than this share a Lambda rarely; the oldest client goes first. */
const keptClients = 500;

/** Writes into tenants' own Kinesis streams, as the roles that they gave. */
export class StreamWriter {
  readonly #credentials: AssumedRoleClient;
  readonly #clients = new Map<string, KinesisClient>();

  constructor(credentials: AssumedRoleClient) {
    this.#credentials = credentials;
  }

  /** In order within each lane; deadline and patience as for {@link sendWithRetries}. */
  async deliver(
    destination: StreamDestination,
    records: readonly PackedRecord[],
    deadline: number,
    patience?: number,
  ): Promise<Delivery> {
    const sink: Sink = {
      limits: putRecordsLimits,
      explain: explainStreamError,
      slow: slowTarget,
      send: async (batch, abortSignal) => await this.#put(destination, batch, abortSignal),
    };
    return await sendWithRetries(records, deadline, sink, patience);
  }

  /**
   * A refusal counts only with a session that was just opened: what is left from a role that was deleted is refused for as
   * long as it lasts, also when the tenant has made the role anew.
   */
  async #put(
    destination: StreamDestination,
    batch: PackedRecord[],
    abortSignal: AbortSignal,
  ): Promise<(Fault | undefined)[]> {
    const isKept = this.#clients.has(clientKey(destination));
    try {
      return await this.#putOnce(destination, batch, abortSignal);
    } catch (error) {
      const denied = isDenied(error);
      if (denied || hasStaleCredentials(error)) this.#forget(destination);
      if (!denied || !isKept) throw error;
      return await this.#putOnce(destination, batch, abortSignal);
    }
  }

  async #putOnce(
    destination: StreamDestination,
    batch: PackedRecord[],
    abortSignal: AbortSignal,
  ): Promise<(Fault | undefined)[]> {
    const command = new PutRecordsCommand({
      StreamARN: destination.streamArn,
      Records: batch.map(({ lane, data }) => ({
        Data: data,
        PartitionKey: lane,
        ExplicitHashKey: explicitHashKey(lane),
      })),
    });
    const { Records = [] } = await this.#clientFor(destination).send(command, { abortSignal });
    return batch.map((_, index) => {
      const { ErrorCode, ErrorMessage } = Records[index] ?? { ErrorCode: 'NoAnswer' };
      return ErrorCode ? streamFault(ErrorCode, ErrorMessage) : undefined;
    });
  }

  #clientFor(destination: StreamDestination): KinesisClient {
    const key = clientKey(destination);
    const known = this.#clients.get(key);
    if (known) return known;
    const [, , , region = ''] = destination.streamArn.split(':');
    const client = new KinesisClient({
      region,
      maxAttempts: 1,
      requestHandler,
      credentials: async () => await this.#credentials.of(destination),
    });
    this.#clients.set(key, client);
    for (const oldest of this.#clients.keys()) {
      if (this.#clients.size <= keptClients) break;
      this.#clients.delete(oldest);
    }
    return client;
  }

  /** The client keeps credentials of its own accord, so it goes with them. */
  #forget(destination: StreamDestination): void {
    this.#credentials.forget(destination);
    this.#clients.delete(clientKey(destination));
  }
}
