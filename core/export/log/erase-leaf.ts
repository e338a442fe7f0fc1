import { retryOnConflict } from '../../kernel/retry-on-conflict.ts';
import { findLeaf, type FindingDeps, type Wanted } from './find-leaf.ts';
import { hashOfEvent, type EventLeaf } from './leaf.ts';
import type { LeafStore } from './leaf-store.ts';
import type { LogName } from './log-keys.ts';

export type ErasingDeps = FindingDeps & { leaves: Pick<LeafStore, 'replace'> };

/**
 * Erases all of an event's leaf but its hash, so that every root stays as it is.
 *
 * @param sequence of the event's item
 * @returns false if the event is not in the log
 */
export async function eraseLeaf(
  deps: ErasingDeps,
  log: LogName,
  leaf: EventLeaf,
  sequence: string,
): Promise<boolean> {
  const hash = hashOfEvent(leaf);
  const wanted: Wanted = {
    ...{ sequence, eventId: leaf.eventId },
    positionIn: (leaves) => leaves.positionOfHash(hash),
  };
  return await retryOnConflict(async () => {
    // The pages no longer have the id of a leaf that was erased before.
    const found =
      (await findLeaf(deps, log, wanted)) ?? (await findLeaf(deps, log, { ...wanted, isAnywhere: true }));
    if (!found) return false;
    const { minute, page, position, leaves } = found;
    await deps.leaves.replace(minute, page, { before: leaves, after: leaves.without(position) });
    return true;
  });
}
