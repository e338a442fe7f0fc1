/** An event of the soak: the `number`-th of its aggregate, from 1 on. */
export type SoakEvent = { aggregate: string; number: number };

type Aggregate = { seen: Set<number>; latest: number };

type Tally = { arrived: number; lost: number; duplicates: number; inversions: number };

/** What arrived in a target, compared with what was accepted. */
export class Arrivals {
  readonly #aggregates = new Map<string, Aggregate>();
  #arrived = 0;
  #duplicates = 0;
  #inversions = 0;

  /** How many different events arrived. */
  get count(): number {
    return this.#arrived;
  }

  /** In the order of their arrival. */
  add(events: readonly SoakEvent[]): void {
    for (const event of events) this.#add(event);
  }

  /** @param accepted the last number of each aggregate */
  tally(accepted: ReadonlyMap<string, number>): Tally {
    const total = [...accepted.values()].reduce((sum, last) => sum + last, 0);
    const [arrived, duplicates, inversions] = [this.#arrived, this.#duplicates, this.#inversions];
    return { arrived, lost: total - arrived, duplicates, inversions };
  }

  #add({ aggregate, number }: SoakEvent): void {
    const known = this.#aggregates.get(aggregate) ?? { seen: new Set(), latest: 0 };
    this.#aggregates.set(aggregate, known);
    if (known.seen.has(number)) {
      this.#duplicates += 1;
      return;
    }
    // A consumer that drops repeated events sees this one after a later one.
    if (number < known.latest) this.#inversions += 1;
    known.seen.add(number);
    known.latest = Math.max(known.latest, number);
    this.#arrived += 1;
  }
}
