import type { DynamoDBRecord } from 'aws-lambda';
import type { Sink, SinkRecord } from '../sink.ts';

/** A way to deliver a batch of the events table's stream to its tenants. */
export type Strategy = {
  name: string;
  /** The events that a consumer finds in a record. */
  read: (data: Uint8Array) => string[];
  /** Resolves when the sink has accepted everything. */
  deliver: (batch: readonly DynamoDBRecord[], sink: Sink) => Promise<void>;
};

export type Item = { tenantId: string; aggregate: string; event: string };

const idLength = 36;

/** For strategies that handle each item separately. */
export function itemsByTenant(batch: readonly DynamoDBRecord[]): Map<string, Item[]> {
  const tenants = new Map<string, Item[]>();
  for (const { dynamodb } of batch) {
    const image = dynamodb?.NewImage ?? {};
    const key = image['pk']?.S ?? '';
    const tenantId = key.slice(0, idLength);
    const item = {
      tenantId,
      aggregate: key.slice(idLength + 1),
      event: image['event']?.S ?? '',
    };
    const items = tenants.get(tenantId);
    if (items) items.push(item);
    else tenants.set(tenantId, [item]);
  }
  return tenants;
}

/** Splits records into calls within the limits of an AWS batch operation. */
export function inCalls<Record extends { data: Uint8Array }>(
  records: readonly Record[],
  limits: { records: number; bytes: number },
): Record[][] {
  const calls: Record[][] = [];
  let call: Record[] = [];
  let bytes = 0;
  for (const record of records) {
    if (call.length === limits.records || bytes + record.data.length > limits.bytes) {
      calls.push(call);
      call = [];
      bytes = 0;
    }
    call.push(record);
    bytes += record.data.length;
  }
  return call.length > 0 ? [...calls, call] : calls;
}

/** Puts the records of each tenant into the sink. Refused records are sent again after all others. */
export async function deliverByTenant(
  batch: readonly DynamoDBRecord[],
  sink: Sink,
  recordsOf: (items: readonly Item[]) => readonly SinkRecord[],
): Promise<void> {
  const tenants = [...itemsByTenant(batch)].map(async ([tenantId, items]) => {
    let waiting = recordsOf(items);
    while (waiting.length > 0) {
      const refused: SinkRecord[] = [];
      for (const call of inCalls(waiting, { records: 500, bytes: 10 * 1024 * 1024 })) {
        const taken = await sink(tenantId, call).catch(() => call.map(() => false));
        refused.push(...call.filter((_, index) => !taken[index]));
      }
      waiting = refused;
    }
  });
  await Promise.all(tenants);
}

/** The texts of the events of a record `{"events":[…]}`. */
export function readEvents(data: Uint8Array): string[] {
  const { events } = JSON.parse(Buffer.from(data).toString()) as { events: unknown[] };
  return events.map((event) => JSON.stringify(event));
}
