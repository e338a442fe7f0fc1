import { retention } from '../kernel/retention.ts';

/** Milliseconds since 1970. The record of a user who is asked a few times a day stays below 1 KB, one write unit. */
const timeBytes = 6;

/** As many as the usual limits allow in 14 days. */
const mostTimes = 280;

/** The times, oldest first. */
export const askedTimes = (bytes: Uint8Array = new Uint8Array()): number[] => {
  const buffer = Buffer.from(bytes);
  return Array.from({ length: Math.floor(buffer.length / timeBytes) }, (_, index) =>
    buffer.readUIntBE(index * timeBytes, timeBytes),
  );
};

/** Adds a time, and drops those whose events are no longer stored. */
export function withAskedTime(bytes: Uint8Array | undefined, now: number): Uint8Array {
  const times = [...askedTimes(bytes).filter((at) => at > now - retention.event), now].slice(-mostTimes);
  const buffer = Buffer.alloc(times.length * timeBytes);
  for (const [index, at] of times.entries()) buffer.writeUIntBE(at, index * timeBytes, timeBytes);
  return new Uint8Array(buffer);
}
