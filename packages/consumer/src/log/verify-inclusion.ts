import { createHash } from 'node:crypto';
import type { InclusionProof } from '../exports/types.ts';
import { LogError } from './log-error.ts';
import { isSameHash, leafHash, rootByInclusion, type TreeState } from './merkle.ts';

/** An event as it was delivered, and its id. */
export type ProvenEvent = { text: string; eventId: string };

const bytesIn = (hashes: readonly string[]): Buffer[] => hashes.map((hash) => Buffer.from(hash, 'base64'));

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The leaf of an event. */
export const leafOf = (eventId: string, digest: string): Uint8Array => leafHash(`${eventId}\n${digest}`);

/** The leaf of a minute. */
export const minuteLeaf = ({
  minute,
  count,
  root,
}: {
  minute: string;
  count: number;
  root: Uint8Array;
}): Uint8Array => leafHash(`${minute}\n${count}\n${Buffer.from(root).toString('hex')}`);

/** True if the proof leads from this event to the checkpoint. */
export function isIncluded(
  { eventId, digest }: { eventId: string; digest: string },
  { minute, minutePath, leafIndex, treeSize, path }: InclusionProof,
  checkpoint: TreeState,
): boolean {
  const root = rootByInclusion(leafOf(eventId, digest), {
    index: minute.leafIndex,
    size: minute.count,
    path: bytesIn(minutePath),
  });
  const place = { index: leafIndex, size: treeSize, path: bytesIn(path) };
  const top = root && rootByInclusion(minuteLeaf({ ...minute, root }), place);
  return treeSize === checkpoint.size && top !== undefined && isSameHash(top, checkpoint.root);
}

/**
 * Verifies offline that a checkpoint's log has exactly this event.
 *
 * @param checkpoint as `openCheckpoint` returned it, or anything with its size and root
 * @throws {LogError} `wrong-root`
 */
export function verifyInclusion(
  { text, eventId }: ProvenEvent,
  proof: InclusionProof,
  checkpoint: TreeState,
): void {
  if (isIncluded({ eventId, digest: digestOf(text) }, proof, checkpoint)) return;
  throw new LogError('wrong-root', `The log does not have the event ${eventId} with this content.`);
}
