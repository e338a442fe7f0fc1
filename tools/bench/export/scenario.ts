import type { DynamoDBRecord } from 'aws-lambda';
import { sequenceAt } from '../../../core/events/event-keys.ts';
import { seeded } from '../report.ts';

/** How many tenants have equal shares of the events, and how many events are in a batch of the exporter. */
export type Scenario = { tenants: number; batch: number };

export type Workload = {
  scenario: Scenario;
  /** In the form that Lambda passes. */
  batches: DynamoDBRecord[][];
  /** By event id. */
  events: Map<string, { tenantId: string; bytes: number }>;
};

const aggregatesOfATenant = 100;
const meanBytes = 585;
const spread = 300;

const uuid = (kind: number, index: number): string =>
  `0199c0de-${String(kind).padStart(4, '0')}-7000-8000-${String(index).padStart(12, '0')}`;

function eventText(eventId: string, tenantId: string, aggregateId: string, bytes: number): string {
  const event = {
    metadata: {
      ...{ agent: aggregateId, aggregateId, category: 'public', eventId, metadataVersion: '1.0' },
      ...{ occurredTime: '2026-01-01T12:00:00.000Z', payloadVersion: '1.0', producerId: 'identity' },
      ...{ producerInstanceId: 'a', tenantId, type: 'UserSignedInEvent' },
    },
    payload: { destination: '' },
  };
  const missing = bytes - JSON.stringify(event).length;
  return JSON.stringify({ ...event, payload: { destination: 'x'.repeat(missing) } });
}

type Named = { tenantId: string; aggregate: string; eventId: string; sequence: string };

function streamRecord({ tenantId, aggregate, eventId, sequence }: Named, event: string): DynamoDBRecord {
  return {
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: eventId,
      ApproximateCreationDateTime: 0,
      NewImage: {
        pk: { S: `${tenantId}#${aggregate}` },
        sk: { S: eventId },
        shard: { S: '0123456789abcdef' },
        sequence: { S: sequence },
        type: { S: 'UserSignedInEvent' },
        event: { S: event },
      },
    },
  };
}

/**
 * Sequences of events of which ten are accepted in a millisecond. Those of an aggregate are in order. Those of other aggregates
 * in the same millisecond are in any order.
 */
function sequencer(random: () => number): (index: number, key: string) => string {
  const latest = new Map<string, number>();
  return (index, key) => {
    const time = Math.max(Math.floor(index / 10), (latest.get(key) ?? -1) + 1);
    latest.set(key, time);
    const call = Math.floor(random() * 1e8);
    return `${sequenceAt(time)}-${String(call).padStart(8, '0')}`;
  };
}

/** Parses the value as Lambda's runtime does, because concatenated strings have another speed. */
const asParsed = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** Events with a mean of 585 bytes, cut into batches. */
export function makeWorkload(scenario: Scenario, batchCount: number, seed = 1): Workload {
  const random = seeded(seed);
  const sequenceOf = sequencer(random);
  const events: Workload['events'] = new Map();
  const make = (index: number): DynamoDBRecord => {
    const tenantId = uuid(1, Math.floor(random() * scenario.tenants));
    const aggregate = uuid(2, Math.floor(random() * aggregatesOfATenant));
    const eventId = uuid(3, index);
    const sequence = sequenceOf(index, `${tenantId} ${aggregate}`);
    const bytes = Math.round(meanBytes + (random() - 0.5) * spread);
    events.set(eventId, { tenantId, bytes });
    return streamRecord(
      { tenantId, aggregate, eventId, sequence },
      eventText(eventId, tenantId, aggregate, bytes),
    );
  };
  const batches = Array.from({ length: batchCount }, (_, batch) =>
    asParsed(Array.from({ length: scenario.batch }, (__, index) => make(batch * scenario.batch + index))),
  );
  return { scenario, batches, events };
}
