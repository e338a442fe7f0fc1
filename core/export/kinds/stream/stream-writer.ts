import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { putRecordsLimits } from '../../delivery/batch-limits.ts';
import { newConnections } from '../../delivery/connections.ts';
import { faultsOf, slowTarget } from '../../delivery/delivery-faults.ts';
import type { PackedRecord } from '../../delivery/packing.ts';
import { sendWithRetries, type Delivery, type Sink } from '../../delivery/send-with-retries.ts';
import type { Writer } from '../../delivery/writer.ts';
import { explicitHashKey } from '../../targets/lanes.ts';
import type { Fault, Target } from '../../targets/target.ts';
import { RoleClients, type Credentials } from '../role/role-clients.ts';
import type { StreamDestination } from './record.ts';
import { explainStreamError, streamFault } from './stream-faults.ts';
import { streamRole } from './stream-role.ts';

const requestHandler = newConnections();

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
    patienceMs?: number,
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
    return await sendWithRetries(records, deadline, sink, patienceMs);
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
  return faultsOf(batch, Records, streamFault);
}
