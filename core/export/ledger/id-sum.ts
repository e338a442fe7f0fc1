import { hash } from 'node:crypto';

/** How many events, and the digest of their ids. */
export type LedgerSum = { count: number; digest: string };

/**
 * Counts events, and adds up the SHA-256 of each id's text modulo 2^256. Neither the order of the events nor the number of
 * calls that counted them changes the digest.
 */
export class IdSum {
  #count: number;
  #sum: bigint;

  constructor({ count, digest }: LedgerSum = { count: 0, digest: '0' }) {
    this.#count = count;
    this.#sum = BigInt(`0x${digest}`);
  }

  add(eventId: string): void {
    this.#count += 1;
    this.#sum += BigInt(`0x${hash('sha256', eventId)}`);
  }

  addAll(other: IdSum): void {
    this.#count += other.#count;
    this.#sum += other.#sum;
  }

  get count(): number {
    return this.#count;
  }

  /** 64 hexadecimal digits. */
  toLedgerSum(): LedgerSum {
    return { count: this.#count, digest: BigInt.asUintN(256, this.#sum).toString(16).padStart(64, '0') };
  }
}

/** The sums of an hour's events, by type. */
export class TypeSums {
  readonly #sums: Map<string, IdSum>;

  constructor(types: Readonly<Record<string, LedgerSum>> = {}) {
    this.#sums = new Map(Object.entries(types).map(([type, sum]) => [type, new IdSum(sum)]));
  }

  add(type: string, eventId: string): void {
    let sum = this.#sums.get(type);
    if (!sum) this.#sums.set(type, (sum = new IdSum()));
    sum.add(eventId);
  }

  addAll(other: TypeSums): void {
    for (const [type, sum] of other.#sums) {
      const own = this.#sums.get(type);
      if (own) own.addAll(sum);
      else this.#sums.set(type, new IdSum(sum.toLedgerSum()));
    }
  }

  get count(): number {
    return [...this.#sums.values()].reduce((total, { count }) => total + count, 0);
  }

  /** In the order of the types' names. */
  toRecord(): Record<string, LedgerSum> {
    const sorted = [...this.#sums].sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(sorted.map(([type, sum]) => [type, sum.toLedgerSum()]));
  }

  /** The sum of all types together. */
  toLedgerSum(): LedgerSum {
    const all = new IdSum();
    for (const sum of this.#sums.values()) all.addAll(sum);
    return all.toLedgerSum();
  }
}
