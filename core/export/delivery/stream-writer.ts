import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { putRecordsLimits } from './batch-limits.ts';
import { targetsAtOnce } from './concurrency.ts';
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

const clientKey = ({ streamArn, roleArn, externalId }: StreamDestination): string =>
  [streamArn, roleArn, externalId].join(' ');

/** One Lambda rarely serves more tenants. The oldest client is dropped first. */
const keptClients = 500;

type Credentials = Pick<AssumedRoleClient, 'of' | 'has' | 'forget'>;

/** Writes into tenants' own Kinesis streams, with the roles that the tenants gave. */
export class StreamWriter {
  readonly #credentials: Credentials;
  readonly #clients = new Map<string, KinesisClient>();

  constructor(credentials: Credentials) {
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
   * A refusal counts only with a session that was just opened: if the tenant deleted and recreated the role, older sessions
   * are refused until they end.
   */
  async #put(
    destination: StreamDestination,
    batch: PackedRecord[],
    abortSignal: AbortSignal,
  ): Promise<(Fault | undefined)[]> {
    const isKept = this.#clients.has(clientKey(destination)) || this.#credentials.has(destination);
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

  /** The client keeps its own copy of the credentials, so it is dropped with them. */
  #forget(destination: StreamDestination): void {
    this.#credentials.forget(destination);
    this.#clients.delete(clientKey(destination));
  }
}
