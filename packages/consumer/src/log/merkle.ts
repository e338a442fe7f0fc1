import { createHash } from 'node:crypto';

/** SHA-256 of the parts, one behind the other. */
function sha256(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** RFC 6962, section 2.1: a byte before the input tells leaves from nodes. */
const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

export const leafHash = (data: string): Uint8Array => sha256(leafPrefix, data);
const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(nodePrefix, left, right);

export const isSameHash = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Builds a tree leaf by leaf, and keeps only the roots of its complete parts. */
export class Tree {
  #size: number;
  readonly #peaks: Uint8Array[];

  constructor(size = 0, peaks: readonly Uint8Array[] = []) {
    this.#size = size;
    this.#peaks = [...peaks];
  }

  get size(): number {
    return this.#size;
  }

  /** The roots of its complete parts, the largest one first. */
  get peaks(): readonly Uint8Array[] {
    return this.#peaks;
  }

  add(leaf: Uint8Array): void {
    let top = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      const left = this.#peaks.pop();
      if (left) top = nodeHash(left, top);
    }
    this.#peaks.push(top);
    this.#size += 1;
  }

  root(): Uint8Array {
    const last = this.#peaks.at(-1);
    if (!last) return sha256();
    return this.#peaks.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
  }
}

/** The root to which an inclusion proof leads (RFC 9162, section 2.1.3.2). `undefined` if the proof has another form. */
export function rootByInclusion(
  leaf: Uint8Array,
  { index, size, path }: { index: number; size: number; path: readonly Uint8Array[] },
): Uint8Array | undefined {
  if (!(index >= 0 && index < size)) return undefined;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(beside, hash);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else hash = nodeHash(hash, beside);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? hash : undefined;
}

const half = (value: number): number => Math.floor(value / 2);

/** A tree of so many leaves. */
export type TreeState = { size: number; root: Uint8Array };

/** True if the path proves that the later tree begins with the earlier one (RFC 9162, section 2.1.4.2). */
export function isConsistent(earlier: TreeState, later: TreeState, path: readonly Uint8Array[]): boolean {
  if (earlier.size > later.size) return false;
  if (earlier.size === later.size) return path.length === 0 && isSameHash(earlier.root, later.root);
  if (earlier.size === 0) return path.length === 0;
  const isPower = Number.isInteger(Math.log2(earlier.size));
  const [seed, ...rest] = isPower ? [earlier.root, ...path] : path;
  if (!seed) return false;
  let [place, last] = [earlier.size - 1, later.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  let [first, second] = [seed, seed];
  for (const beside of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      first = nodeHash(beside, first);
      second = nodeHash(beside, second);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else second = nodeHash(second, beside);
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && isSameHash(first, earlier.root) && isSameHash(second, later.root);
}
