import { createHash } from 'node:crypto';
import type { LedgerSum } from './types.ts';

const modulus = 1n << 256n;

/** SHA-256 of the id's text, as a number. */
export const hashOf = (eventId: string): bigint =>
  BigInt(`0x${createHash('sha256').update(eventId).digest('hex')}`);

/** Counts events and adds up the hashes of their ids. The order of the events does not matter. */
export class RunningSum {
  #count = 0;
  #sum = 0n;

  /** @param ledger a sum of the service to begin with */
  static of({ count, digest }: LedgerSum): RunningSum {
    const sum = new RunningSum();
    sum.#count = count;
    sum.#sum = BigInt(`0x${digest}`);
    return sum;
  }

  get count(): number {
    return this.#count;
  }

  /** The sum modulo 2^256. It is the hash of the only event, if there is one. */
  get sum(): bigint {
    return BigInt.asUintN(256, this.#sum);
  }

  add(hash: bigint): void {
    this.#count += 1;
    this.#sum += hash;
  }

  /** What is in this sum and not in the other, if the other is a part of it. */
  without(other: RunningSum): RunningSum {
    const rest = new RunningSum();
    rest.#count = this.#count - other.#count;
    rest.#sum = this.#sum - other.#sum + modulus;
    return rest;
  }

  plus(other: RunningSum): RunningSum {
    const both = new RunningSum();
    both.#count = this.#count + other.#count;
    both.#sum = this.#sum + other.#sum;
    return both;
  }

  equals(other: RunningSum): boolean {
    return this.count === other.count && this.sum === other.sum;
  }
}
