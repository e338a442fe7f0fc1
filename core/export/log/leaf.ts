import { hash } from 'node:crypto';
import { leafHash } from './merkle-tree.ts';

/** An event as the log has it. */
export type EventLeaf = {
  /** As the producer wrote it. */
  eventId: string;
  /** SHA-256 of the event's bytes, as they are in a stream, a bucket or a webhook. */
  digest: Buffer;
};

/** @param json the text of an event that is delivered */
export const leafOf = (json: string, eventId: string): EventLeaf => ({
  eventId,
  digest: hash('sha256', json, 'buffer'),
});

/** What the leaf of an event is the hash of. */
const textOf = ({ eventId, digest }: EventLeaf): string => `${eventId}\n${digest.toString('hex')}`;

export const hashOfEvent = (leaf: EventLeaf): Buffer => leafHash(Buffer.from(textOf(leaf)));

/** A batch of events. */
export type Minute = {
  /** Its begin, in RFC 3339. */
  minute: string;
  /** How many events it has. */
  count: number;
  /** The root of the tree of its events. */
  root: Uint8Array;
};

/** The leaf of a batch in the tenant's tree. */
export const hashOfMinute = ({ minute, count, root }: Minute): Buffer =>
  leafHash(Buffer.from(`${minute}\n${count}\n${Buffer.from(root).toString('hex')}`));

/** The first leaf of a log that a restore has begun: the last checkpoint of the log before, as it was signed. */
export const hashOfCheckpoint = (text: string): Buffer => leafHash(Buffer.from(text));

/** By id in lower case, then by hash. */
export function compareLeaves(a: EventLeaf, b: EventLeaf): number {
  const [first, second] = [a.eventId.toLowerCase(), b.eventId.toLowerCase()];
  if (first !== second) return first < second ? -1 : 1;
  return Buffer.compare(a.digest, b.digest);
}
