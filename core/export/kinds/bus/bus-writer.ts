import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { BatchLimits } from '../../delivery/batch-limits.ts';
import { newConnections } from '../../delivery/connections.ts';
import { faultsOf, slowTarget } from '../../delivery/delivery-faults.ts';
import { pack, type PackedRecord } from '../../delivery/packing.ts';
import { sendWithRetries, type Delivery, type Sink } from '../../delivery/send-with-retries.ts';
import type { Writer } from '../../delivery/writer.ts';
import type { Fault, Target } from '../../targets/target.ts';
import { RoleClients, type Credentials } from '../role/role-clients.ts';
import { eventsOf, source, typeOf } from './bus-entry.ts';
import { explainBusError, busFault } from './bus-faults.ts';
import { busRole } from './bus-role.ts';
import type { BusDestination } from './record.ts';

/**
 * PutEvents takes 1 MB in all, and took 256 KB before 2026. So a call has no more than the largest event that the service accepts,
 * with what stands around it.
 */
const putEventsLimits: BatchLimits = { records: 10, bytes: 257 * 1024, perLane: 10 };

const requestHandler = newConnections();

/** Sends events to tenants' own event buses, with the roles that the tenants gave. Each event is an entry of its own. */
export class BusWriter implements Writer {
  readonly #clients: RoleClients<EventBridgeClient>;

  constructor(credentials: Credentials) {
    this.#clients = new RoleClients(
      credentials,
      (settings) => new EventBridgeClient({ ...settings, maxAttempts: 1, requestHandler }),
    );
  }

  /** Only the entries that the bus refused are sent again, as long as there is time. A bus keeps no order. */
  async deliver(
    { destination }: Target & { destination: BusDestination },
    records: readonly PackedRecord[],
    deadline: number,
    patienceMs?: number,
  ): Promise<Delivery> {
    const entries = new Map(records.flatMap((record) => entriesOf(record).map((entry) => [entry, record])));
    const sink: Sink = {
      limits: putEventsLimits,
      explain: explainBusError,
      slow: slowTarget,
      send: async (batch, signal) =>
        await this.#clients.call(
          busRole(destination),
          async (client) => await put(client, destination.busArn, batch, signal),
        ),
    };
    const { undelivered, fault } = await sendWithRetries([...entries.keys()], deadline, sink, patienceMs);
    return { undelivered: recordsOf(undelivered, entries), ...(fault && { fault }) };
  }
}

const entriesOf = (record: PackedRecord): PackedRecord[] =>
  eventsOf(record.data).map((event) => ({ ...record, data: Buffer.from(event), size: 1 }));

/** What is left of each record. */
function recordsOf(
  undelivered: readonly PackedRecord[],
  entries: ReadonlyMap<PackedRecord, PackedRecord>,
): PackedRecord[] {
  const left = Map.groupBy(undelivered, (entry) => entries.get(entry) ?? entry);
  return [...left].flatMap(([{ lane, first }, its]) => {
    const events = its.map(({ data }) => ({ orderingKey: '', event: data.toString() }));
    return pack(events, { lanes: 1, lineEnd: '' }).records.map((record) => ({ ...record, lane, first }));
  });
}

async function put(
  client: EventBridgeClient,
  EventBusName: string,
  batch: PackedRecord[],
  abortSignal: AbortSignal,
): Promise<(Fault | undefined)[]> {
  const command = new PutEventsCommand({
    Entries: batch.map(({ data }) => {
      const Detail = data.toString();
      return { EventBusName, Source: source, DetailType: typeOf(Detail), Detail };
    }),
  });
  const { Entries = [] } = await client.send(command, { abortSignal });
  return faultsOf(batch, Entries, busFault);
}
