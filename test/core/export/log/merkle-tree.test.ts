import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { emptyTree, rootOfTree, withLeaf } from '../../../../core/export/log/growing-tree.ts';
import { emptyRoot, leafHash, nodeHash, pathOf, rootOf } from '../../../../core/export/log/merkle-tree.ts';
import { pagesOf } from '../../../../core/export/log/leaf-page.ts';
import { hashOfEvent, leafOf } from '../../../../core/export/log/leaf.ts';
import {
  consistencySpans,
  inclusionSpans,
  nodesOf,
  type NodeRef,
  type Span,
  spanHash,
} from '../../../../core/export/log/proofs.ts';
import { isConsistent, rootByInclusion } from '../../../../packages/consumer/src/log/merkle.ts';

/** The leaves and roots that implementations of Certificate Transparency test themselves with. */
const knownLeaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const knownRoots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const leaves = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, index) => leafHash(Buffer.from(String(index))));

/** A tree that grew leaf by leaf, with the hashes that are stored. */
function grown(hashes: readonly Buffer[]) {
  const stored: (readonly Uint8Array[])[] = [];
  let tree = emptyTree;
  for (const hash of hashes) {
    const next = withLeaf(tree, hash);
    stored.push(next.completed);
    ({ tree } = next);
  }
  const nodeAt = ({ level, index }: NodeRef): Uint8Array => {
    const hash = stored[(index + 1) * 2 ** level - 1]?.[level];
    if (!hash) throw new Error('The node is not stored.');
    return hash;
  };
  const hashesOf = (spans: readonly Span[]): Buffer[] =>
    spans.map((span) => spanHash(nodesOf(span).map(nodeAt)));
  return { tree, hashesOf };
}

describe('a tree', () => {
  test.each(knownRoots.map((root, size) => ({ root, size })))(
    'has the known root with $size leaves',
    ({ root, size }) => {
      const hashes = knownLeaves.slice(0, size).map((leaf) => leafHash(Buffer.from(leaf, 'hex')));
      expect(rootOf(hashes).toString('hex')).toBe(root);
      expect(rootOfTree(grown(hashes).tree).toString('hex')).toBe(root);
    },
  );

  test('tells a leaf from a node with the same content', () => {
    const [left, right] = leaves(2);
    if (!left || !right) throw new Error();
    expect(leafHash(Buffer.concat([left, right]))).not.toEqual(nodeHash(left, right));
    expect(rootOf([])).toEqual(emptyRoot);
  });

  test('refuses to grow without the parts that it must have', () => {
    expect(() => withLeaf({ size: 1, peaks: [] }, emptyRoot)).toThrow('lacks a part');
    expect(() => spanHash([])).toThrow('at least one leaf');
  });
});

const size = fc.integer({ min: 1, max: 300 });

test('a grown tree has the root and the proofs of one that is made at once, at each earlier size', () => {
  const hashes = leaves(300);
  const { hashesOf } = grown(hashes);
  fc.assert(
    fc.property(size, fc.nat(299), fc.nat(300), (count, leaf, before) => {
      const root = rootOf(hashes.slice(0, count));
      const [index, earlier] = [leaf % count, before % (count + 1)];
      const path = hashesOf(inclusionSpans(index, count));
      expect(path).toEqual(pathOf(hashes.slice(0, count), index));
      expect(rootByInclusion(hashes[index] ?? root, { index, size: count, path })).toEqual(root);
      const first = { size: earlier, root: rootOf(hashes.slice(0, earlier)) };
      const proof = hashesOf(consistencySpans(earlier, count));
      expect(isConsistent(first, { size: count, root }, proof)).toBe(true);
    }),
  );
});

test('a proof convinces of nothing else: another leaf, place, root or hash', () => {
  const hashes = leaves(300);
  const { hashesOf } = grown(hashes);
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 300 }), fc.nat(299), fc.nat(40), (count, leaf, place) => {
      const root = rootOf(hashes.slice(0, count));
      const index = leaf % count;
      const path = hashesOf(inclusionSpans(index, count));
      const wrong = leafHash(Buffer.from('another'));
      const changed = path.with(place % path.length, wrong);
      expect(rootByInclusion(wrong, { index, size: count, path })).not.toEqual(root);
      expect(rootByInclusion(hashes[index] ?? root, { index, size: count, path: changed })).not.toEqual(root);
      expect(rootByInclusion(hashes[index] ?? root, { index: count, size: count, path })).toBeUndefined();
      const earlier = { size: 1 + (leaf % (count - 1)), root: wrong };
      const proof = hashesOf(consistencySpans(earlier.size, count));
      expect(isConsistent(earlier, { size: count, root }, proof)).toBe(false);
      const right = { ...earlier, root: rootOf(hashes.slice(0, earlier.size)) };
      expect(isConsistent(right, { size: count, root }, proof.with(place % proof.length, wrong))).toBe(false);
      expect(isConsistent(right, { size: count, root }, proof.slice(1))).toBe(false);
      expect(isConsistent(right, { size: count, root: wrong }, proof)).toBe(false);
    }),
  );
});

test.each([1, 1_023, 1_024, 1_025, 3_000])(
  'the tree of a minute of %d events is that of its pages',
  (count) => {
    const all = Array.from({ length: count }, (_, index) => {
      const eventId = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
      return { ...leafOf(`{"n":${index}}`, eventId), item: '0'.repeat(16) };
    });
    const pages = pagesOf(all);
    expect(rootOf(pages.map(({ root }) => root))).toEqual(rootOf(all.map(hashOfEvent)));
    expect(pages).toHaveLength(Math.ceil(count / 1_024));
  },
);
