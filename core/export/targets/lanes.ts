/**
 * Events whose ordering keys fall into the same lane stay in order. A lane is written `<index>/<count>`, so that a
 * parked record says how many lanes there were.
 */
export type Lane = string;

const names = new Map<number, readonly Lane[]>();

/** The lanes of a target that has this many. */
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
 * FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), and a last mix, without which the lowest bits of similar
 * keys repeat. It runs once an event, and nobody gains by collisions: they only share a lane.
 */
function hash(key: string): number {
  let value = offsetBasis;
  for (let index = 0; index < key.length; index += 1) {
    value = Math.imul(value ^ key.charCodeAt(index), prime);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  // Without the sign, and small enough for the integers that engines are quick with.
  return (value ^ (value >>> 13)) & 0x3fffffff;
}

/** Which of so many lanes a key falls into: always the same one. */
export const laneIndex = (key: string, count: number): number => (count === 1 ? 0 : hash(key) % count);

const replayed = '/replay';

/** Where a lane's events wait that are sent once more: apart, so that nothing new queues behind them. */
export const replayLane = (lane: Lane): Lane => `${lane}${replayed}`;

export const isReplayLane = (lane: Lane): boolean => lane.endsWith(replayed);

/** The lane that the target knows, of one that is only a place to wait. */
export const deliveryLane = (lane: Lane): Lane =>
  isReplayLane(lane) ? lane.slice(0, -replayed.length) : lane;

/**
 * Where a lane lies in the hash space of a Kinesis stream: lanes are spread evenly over the shards, which the hashes of
 * a handful of partition keys are not. A shard that is split keeps a lane whole.
 */
export function explicitHashKey(lane: Lane): string {
  const [index = '0', count = '1'] = lane.split('/');
  return (((2n * BigInt(index) + 1n) << 127n) / BigInt(count)).toString();
}
