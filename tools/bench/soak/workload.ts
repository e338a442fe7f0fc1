/** Events whose numbers tell what was lost, came again, or came out of order: those of an aggregate count from 1 on. */
const [aggregatesOfAWorker, mixedAggregates] = [25, 10];
const hex = (value: number, length: number): string => value.toString(16).padStart(length, '0');

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
    const [aggregateId, tenantId] = [`soak-${this.#worker}-${index}`, this.#tenantId];
    const number = (this.numbers.get(aggregateId) ?? 0) + 1;
    this.numbers.set(aggregateId, number);
    const eventId = `0199c0de-${hex(this.#worker, 4)}-7${hex(index, 3)}-8000-${String(number).padStart(12, '0')}`;
    return {
      metadata: {
        ...{ aggregateId, category: 'public', eventId, tenantId, type: 'UserSignedInEvent' },
        ...{ producerId: 'soak', producerInstanceId: 'soak', occurredTime: new Date().toISOString() },
        ...{ metadataVersion: '1.0', payloadVersion: '1.0' },
      },
      payload: { userId: aggregateId, identityProviderId: 'soak', destination: String(number) },
    };
  }
}

type Read = { events: { metadata: { aggregateId: string }; payload: { destination: string } }[] };

/** What arrived in a target, compared with what was accepted. */
export class Arrivals {
  readonly #seen = new Map<string, { numbers: Set<number>; latest: number }>();
  #duplicates = 0;
  #inversions = 0;

  /** Records of a stream, lines of an object or bodies of webhooks, in the order of their arrival. */
  add(texts: readonly string[]): void {
    for (const text of texts)
      for (const { metadata, payload } of (JSON.parse(text) as Read).events)
        this.#add(metadata.aggregateId, Number(payload.destination));
  }

  /** @param accepted the last number of each aggregate */
  tally(accepted: ReadonlyMap<string, number>) {
    const all = [...accepted.values()].reduce((sum, last) => sum + last, 0);
    const arrived = [...this.#seen.values()].reduce((sum, { numbers }) => sum + numbers.size, 0);
    return { accepted: all, lost: all - arrived, duplicates: this.#duplicates, inversions: this.#inversions };
  }

  #add(aggregate: string, number: number): void {
    const known = this.#seen.get(aggregate) ?? { numbers: new Set<number>(), latest: 0 };
    this.#seen.set(aggregate, known);
    if (known.numbers.has(number)) this.#duplicates += 1;
    // A consumer that drops repeated events sees this one after a later one.
    else if (number < known.latest) this.#inversions += 1;
    known.numbers.add(number);
    known.latest = Math.max(known.latest, number);
  }
}
