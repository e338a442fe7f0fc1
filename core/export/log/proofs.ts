import { nodeHash, splitOf } from './merkle-tree.ts';

/** Leaves from `from` on and before `to`: a part of the tree that has a hash of its own. */
export type Span = { from: number; to: number };

/** A complete part of the tree: the leaves from `index` × 2^`level` on. Its hash never changes. */
export type NodeRef = { level: number; index: number };

/** The spans whose hashes are the inclusion proof of a leaf (RFC 6962, section 2.1.1), from the bottom. */
export function inclusionSpans(leaf: number, size: number): Span[] {
  return spansBeside(leaf, { from: 0, to: size });
}

function spansBeside(leaf: number, { from, to }: Span): Span[] {
  if (to - from === 1) return [];
  const middle = from + splitOf(to - from);
  return leaf < middle
    ? [...spansBeside(leaf, { from, to: middle }), { from: middle, to }]
    : [...spansBeside(leaf, { from: middle, to }), { from, to: middle }];
}

/**
 * The spans whose hashes prove that the tree of `size` leaves begins with that of `earlier` leaves (RFC 6962, section 2.1.2).
 * Each tree begins with the empty one, and with itself: this needs no proof.
 */
export function consistencySpans(earlier: number, size: number): Span[] {
  return earlier === 0 ? [] : spansBetween(earlier, { from: 0, to: size }, true);
}

function spansBetween(earlier: number, { from, to }: Span, isKnown: boolean): Span[] {
  if (earlier === to) return isKnown ? [] : [{ from, to }];
  const middle = from + splitOf(to - from);
  return earlier <= middle
    ? [...spansBetween(earlier, { from, to: middle }, isKnown), { from: middle, to }]
    : [...spansBetween(earlier, { from: middle, to }, false), { from, to: middle }];
}

/** The complete parts of a span, from the left. A span begins where a part of its size may begin. */
export function nodesOf({ from, to }: Span): NodeRef[] {
  const nodes: NodeRef[] = [];
  for (let begin = from; begin < to;) {
    let level = 0;
    while (begin % 2 ** (level + 1) === 0 && begin + 2 ** (level + 1) <= to) level += 1;
    nodes.push({ level, index: begin / 2 ** level });
    begin += 2 ** level;
  }
  return nodes;
}

/** The hash of a span, from those of its complete parts. */
export function spanHash(parts: readonly Uint8Array[]): Buffer {
  const last = parts.at(-1);
  if (!last) throw new Error('A span has at least one leaf.');
  return parts.slice(0, -1).reduceRight<Buffer>((right, left) => nodeHash(left, right), Buffer.from(last));
}
