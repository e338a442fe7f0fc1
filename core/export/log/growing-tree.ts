import { emptyRoot, nodeHash } from './merkle-tree.ts';
import { spanHash } from './proofs.ts';

/** A tree of RFC 6962 to which leaves are added. Its complete parts from the left are all that must be known of it. */
export type GrowingTree = {
  size: number;
  /** The hashes of the complete parts, the largest one first. */
  peaks: readonly Uint8Array[];
};

export const emptyTree: GrowingTree = { size: 0, peaks: [] };

/**
 * The tree with one more leaf.
 *
 * @returns besides, the hashes of the parts that this leaf completes, beginning with the leaf itself: the one at position n is
 * of 2^n leaves
 */
export function withLeaf(
  { size, peaks }: GrowingTree,
  leaf: Uint8Array,
): { tree: GrowingTree; completed: readonly Uint8Array[] } {
  const rest = [...peaks];
  const completed = [leaf];
  let top = leaf;
  for (let left = size; left % 2 === 1; left = (left - 1) / 2) {
    const neighbour = rest.pop();
    if (!neighbour) throw new Error('The tree lacks a part.');
    top = nodeHash(neighbour, top);
    completed.push(top);
  }
  return { tree: { size: size + 1, peaks: [...rest, top] }, completed };
}

export const rootOfTree = ({ peaks }: GrowingTree): Buffer =>
  peaks.length === 0 ? emptyRoot : spanHash(peaks);
