/**
 * Events of a target whose ordering keys fall into the same lane are in order. A lane is written `<index>/<count>`, so that a
 * parked record tells how many lanes the target had.
 */
export type Lane = string;

const names = new Map<number, readonly Lane[]>();

/** The lanes of a target with this many lanes. */
export function lanesOf(count: number): readonly Lane[] {
  const known = names.get(count);
  if (known) return known;
  const made = Array.from({ length: count }, (_, index): Lane => `${index}/${count}`);
  names.set(count, made);
  return made;
}

const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/**
 * FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) with a final mix, because the lowest bits of similar keys would repeat.
 * It runs once for each event. Collisions are harmless: the keys share a lane.
 */
function hash(key: string): number {
  let value = offsetBasis;
  for (let index = 0; index < key.length; index += 1) {
    value = Math.imul(value ^ key.charCodeAt(index), prime);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  // No sign, and small enough for the engine's fast integers.
  return (value ^ (value >>> 13)) & 0x3fffffff;
}

/** The lane of a key, always the same one. */
export const laneIndex = (key: string, count: number): number => (count === 1 ? 0 : hash(key) % count);

const replayed = '/replay';

/** Replayed events of a lane wait in a lane of their own, so that new events do not queue behind them. */
export const replayLane = (lane: Lane): Lane => `${lane}${replayed}`;

export const isReplayLane = (lane: Lane): boolean => lane.endsWith(replayed);

/** The lane by which events are delivered: replay lanes exist only in the parking queue. */
export const deliveryLane = (lane: Lane): Lane =>
  isReplayLane(lane) ? lane.slice(0, -replayed.length) : lane;

/**
 * The lane's place in the hash space of a Kinesis stream. Lanes are spread evenly over the shards; hashes of a few partition
 * keys would not be. A lane stays whole when its shard is split.
 */
export function explicitHashKey(lane: Lane): string {
  const [index = '0', count = '1'] = lane.split('/');
  return (((2n * BigInt(index) + 1n) << 127n) / BigInt(count)).toString();
}
