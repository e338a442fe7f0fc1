/** Keeps the latest entries, so that the memory of a stack that runs for days stays bounded. */
export type RingBuffer<Entry> = {
  push(entry: Entry): void;
  /** Oldest first. */
  list(): Entry[];
  reset(): void;
};

export function createRingBuffer<Entry>(capacity: number): RingBuffer<Entry> {
  let kept: Entry[] = [];
  let next = 0;
  return {
    push: (entry) => {
      kept[next] = entry;
      next = (next + 1) % capacity;
    },
    list: () => (kept.length < capacity ? [...kept] : [...kept.slice(next), ...kept.slice(0, next)]),
    reset: () => {
      kept = [];
      next = 0;
    },
  };
}
