import * as v from 'valibot';
import type { SoakEvent } from './arrivals.ts';

/** The most events that a call of the API takes. */
export const largestCall = 100;

const aggregatesOfAWorker = 25;
/** A call has events of so many aggregates at most. */
const mixedAggregates = 10;

const uuidOf = (worker: number, aggregate: number, number: number): string =>
  `0199c0de-${worker.toString(16).padStart(4, '0')}-7${aggregate.toString(16).padStart(3, '0')}-8000-${String(number).padStart(12, '0')}`;

/** The events of one caller, which has aggregates of its own: their order is that of its calls. */
export class Workload {
  /** The last number of each aggregate. */
  readonly numbers = new Map<string, number>();
  readonly #worker: number;
  readonly #tenantId: string;
  readonly #random: () => number;

  constructor(worker: number, tenantId: string, random: () => number) {
    this.#worker = worker;
    this.#tenantId = tenantId;
    this.#random = random;
  }

  /** The events of the next call. */
  next(count: number): object[] {
    const mixed = 1 + Math.floor(this.#random() * mixedAggregates);
    const among = Array.from({ length: mixed }, () => Math.floor(this.#random() * aggregatesOfAWorker));
    return Array.from({ length: count }, () => this.#make(among[Math.floor(this.#random() * mixed)] ?? 0));
  }

  #make(index: number): object {
    const aggregateId = `soak-${this.#worker}-${index}`;
    const number = (this.numbers.get(aggregateId) ?? 0) + 1;
    this.numbers.set(aggregateId, number);
    return {
      metadata: {
        aggregateId,
        category: 'public',
        eventId: uuidOf(this.#worker, index, number),
        metadataVersion: '1.0',
        occurredTime: new Date().toISOString(),
        payloadVersion: '1.0',
        producerId: 'soak',
        producerInstanceId: 'soak',
        tenantId: this.#tenantId,
        type: 'UserSignedInEvent',
      },
      payload: { userId: aggregateId, identityProviderId: 'soak', destination: String(number) },
    };
  }
}

const soakEvent = v.pipe(
  v.object({
    metadata: v.object({ aggregateId: v.string() }),
    payload: v.object({ destination: v.pipe(v.string(), v.transform(Number), v.integer()) }),
  }),
  v.transform(({ metadata, payload }): SoakEvent => {
    return { aggregate: metadata.aggregateId, number: payload.destination };
  }),
);

const recordSchema = v.object({ events: v.array(soakEvent) });

/**
 * The events of a stream's record, of an object's line or of a webhook. The test of a target writes a record without events.
 *
 * @throws if there are others than those of a workload
 */
export const readRecord = (text: string): SoakEvent[] => v.parse(recordSchema, JSON.parse(text)).events;
