import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import type { BatchLimits } from '../../delivery/batch-limits.ts';
import { newConnections } from '../../delivery/connections.ts';
import { faultsOf, slowTarget } from '../../delivery/delivery-faults.ts';
import { pack, type PackedRecord } from '../../delivery/packing.ts';
import { sendWithRetries, type Delivery, type Sink } from '../../delivery/send-with-retries.ts';
import { eventsOf } from '../../delivery/split-events.ts';
import type { Writer } from '../../delivery/writer.ts';
import type { Fault, Target } from '../../targets/target.ts';
import { cloudEvent, sourceOf, typeOf } from '../cloud-event.ts';
import { RoleClients, type Credentials } from '../role/role-clients.ts';
import { explainBusError, busFault, isRefusedEvent } from './bus-faults.ts';
import { busRole } from './bus-role.ts';
import type { BusDestination } from './record.ts';
import { source } from './source.ts';

/**
 * PutEvents takes 1 MB in all, and took 256 KB before 2026. So a call has no more than the largest event that the service accepts,
 * with what stands around it: attributes of a CloudEvent have a few KB at most.
 */
const putEventsLimits: BatchLimits = { records: 10, bytes: 264 * 1024, perLane: 10 };

const requestHandler = newConnections();

/** Sends events to tenants' own event buses, with the roles that the tenants gave. Each event is an entry of its own. */
export class BusWriter implements Writer {
  readonly #clients: RoleClients<EventBridgeClient>;
  readonly #baseUrl: string;

  /** @param baseUrl names the service in CloudEvents */
  constructor(credentials: Credentials, baseUrl: string) {
    this.#baseUrl = baseUrl;
    this.#clients = new RoleClients(
      credentials,
      (settings) => new EventBridgeClient({ ...settings, maxAttempts: 1, requestHandler }),
    );
  }

  /** Only the entries that the bus refused are sent again, as long as there is time. A bus keeps no order. */
  async deliver(
    target: Target & { destination: BusDestination },
    records: readonly PackedRecord[],
    deadline: number,
    patienceMs?: number,
  ): Promise<Delivery> {
    const { destination } = target;
    const write =
      destination.format === 'cloudevents'
        ? (event: string) => cloudEvent(event, sourceOf(this.#baseUrl, target))
        : (event: string) => event;
    const entries = new Map(records.flatMap((record) => entriesOf(record, write)));
    const sink: Sink = {
      limits: putEventsLimits,
      explain: explainBusError,
      isFinal: isRefusedEvent,
      slow: slowTarget,
      send: async (batch, signal) =>
        await this.#clients.call(
          busRole(destination),
          async (client) => await put(client, destination.busArn, detailsOf(batch, entries), signal),
        ),
    };
    const delivery = await sendWithRetries([...entries.keys()], deadline, sink, patienceMs);
    const { undelivered, refused } = delivery;
    return {
      ...delivery,
      undelivered: recordsOf(undelivered, entries),
      ...(refused && { refused: { ...refused, records: recordsOf(refused.records, entries) } }),
    };
  }
}

/** What an entry is made of: the event as it was recorded, and its record. */
type Origin = { event: string; record: PackedRecord };
type Entries = ReadonlyMap<PackedRecord, Origin>;

const entriesOf = (record: PackedRecord, write: (event: string) => string): [PackedRecord, Origin][] =>
  eventsOf(record.data).map((event) => [
    { lane: record.lane, data: Buffer.from(write(event)), size: 1, first: record.first },
    { event, record },
  ]);

/** What is left of each record. */
function recordsOf(left: readonly PackedRecord[], entries: Entries): PackedRecord[] {
  const origins = left.map((entry) => entries.get(entry)).filter((origin) => origin !== undefined);
  return [...Map.groupBy(origins, ({ record }) => record)].flatMap(([{ lane, first }, its]) => {
    const events = its.map(({ event }) => ({ orderingKey: '', event }));
    return pack(events, { lanes: 1, lineEnd: '' }).records.map((record) => ({ ...record, lane, first }));
  });
}

type Detail = { type: string; text: string };

const detailsOf = (batch: readonly PackedRecord[], entries: Entries): Detail[] =>
  batch.map((entry) => ({ type: typeOf(entries.get(entry)?.event ?? ''), text: entry.data.toString() }));

async function put(
  client: EventBridgeClient,
  EventBusName: string,
  details: readonly Detail[],
  abortSignal: AbortSignal,
): Promise<(Fault | undefined)[]> {
  const command = new PutEventsCommand({
    Entries: details.map(({ type, text }) => ({
      EventBusName,
      Source: source,
      DetailType: type,
      Detail: text,
    })),
  });
  const { Entries = [] } = await client.send(command, { abortSignal });
  return faultsOf(details, Entries, busFault);
}
