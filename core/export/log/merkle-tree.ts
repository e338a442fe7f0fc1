import { hash } from 'node:crypto';

/** Hashes of RFC 6962, section 2.1: SHA-256, with a byte before the input that tells leaves from nodes. */
const leafPrefix = Buffer.from([0]);
const nodePrefix = Buffer.from([1]);

export const bytesOfHash = 32;

/** Hashes that are stored one behind the other. */
export const hashesIn = (bytes: Uint8Array): Buffer[] =>
  Array.from({ length: bytes.length / bytesOfHash }, (_, index) =>
    Buffer.from(bytes.subarray(index * bytesOfHash, (index + 1) * bytesOfHash)),
  );

const sha256 = (...parts: readonly Uint8Array[]): Buffer => hash('sha256', Buffer.concat(parts), 'buffer');

export const leafHash = (data: Uint8Array): Buffer => sha256(leafPrefix, data);
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodePrefix, left, right);

/** The root of a tree without leaves. */
export const emptyRoot = sha256();

/** The largest power of two that is smaller than `size`, which is 2 or more. */
export function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** The root of a tree, from the hashes of its leaves. */
export function rootOf(hashes: readonly Uint8Array[]): Buffer {
  const [first] = hashes;
  if (first === undefined) return emptyRoot;
  let level: readonly Uint8Array[] = hashes;
  // Pairs from the left, and a last one without a partner as it is, make the same tree as the definition's halves.
  while (level.length > 1) level = pairsOf(level);
  return Buffer.from(level[0] ?? first);
}

function pairsOf(level: readonly Uint8Array[]): Uint8Array[] {
  const next: Uint8Array[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const [left, right] = [level[index], level[index + 1]];
    if (left) next.push(right ? nodeHash(left, right) : left);
  }
  return next;
}

/** The inclusion proof of a leaf (RFC 6962, section 2.1.1): the hashes beside its way to the root, from the bottom. */
export function pathOf(hashes: readonly Uint8Array[], index: number): Buffer[] {
  const path: Buffer[] = [];
  let level: readonly Uint8Array[] = hashes;
  for (let place = index; level.length > 1; place = Math.floor(place / 2)) {
    const sibling = level[place % 2 === 0 ? place + 1 : place - 1];
    if (sibling) path.push(Buffer.from(sibling));
    level = pairsOf(level);
  }
  return path;
}
