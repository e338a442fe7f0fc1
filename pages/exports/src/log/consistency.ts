import type { Checkpoint } from './checkpoint.ts';

type Hash = Uint8Array<ArrayBuffer>;
type Tree = Pick<Checkpoint, 'size' | 'root'>;
/** The roots of the earlier tree and of the later one. */
type Roots = [earlier: Hash, later: Hash];

const isSame = (one: Hash, other: Hash | undefined): boolean =>
  one.length === other?.length && one.every((byte, index) => byte === other[index]);

async function nodeHash(left: Hash, right: Hash): Promise<Hash> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.of(1, ...left, ...right)));
}

/** True if the path proves that the later tree begins with the earlier one (RFC 6962, section 2.1.2). */
export async function isConsistent(earlier: Tree, later: Tree, path: readonly Hash[]): Promise<boolean> {
  if (earlier.size > later.size) return false;
  if (earlier.size === later.size) return path.length === 0 && isSame(earlier.root, later.root);
  if (earlier.size === 0) return path.length === 0;
  const rest = [...path];
  const roots = await rootsBy(rest, earlier, later.size, true);
  return (
    roots !== undefined && rest.length === 0 && isSame(earlier.root, roots[0]) && isSame(later.root, roots[1])
  );
}

/**
 * Follows how the proof was made, and takes its hashes from the end.
 *
 * @param isKnown the part is the whole of the earlier tree, whose root the proof leaves out
 */
async function rootsBy(
  path: Hash[],
  earlier: Tree,
  size: number,
  isKnown: boolean,
): Promise<Roots | undefined> {
  if (earlier.size === size) {
    const root = isKnown ? earlier.root : path.pop();
    return root && [root, root];
  }
  const middle = largestPowerBelow(size);
  const beside = path.pop();
  if (!beside) return undefined;
  const isLeft = earlier.size <= middle;
  const part = isLeft ? earlier : { ...earlier, size: earlier.size - middle };
  const roots = await rootsBy(path, part, isLeft ? middle : size - middle, isLeft && isKnown);
  if (!roots) return undefined;
  const [before, after] = roots;
  if (isLeft) return [before, await nodeHash(after, beside)];
  return [await nodeHash(beside, before), await nodeHash(beside, after)];
}

function largestPowerBelow(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}
