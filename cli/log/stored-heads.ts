import type { TargetRef } from '../../core/events/target-ref.ts';
import type { LogHead } from '../../core/export/log/log-head.ts';
import type { LogStore } from '../../core/export/log/log-store.ts';

/** The logs of a tenant and category. A restore ends one and begins another. */
export type StoredHeads = {
  latest: LogHead;
  /** The heads of all generations, the oldest first. */
  all: readonly LogHead[];
};

export async function readHeads(
  logs: Pick<LogStore, 'head' | 'endedHead'>,
  ref: TargetRef,
): Promise<StoredHeads> {
  const latest = await logs.head(ref);
  const all = [latest];
  for (let { earlier } = latest; earlier;) {
    const ended = await logs.endedHead({ ...ref, generation: earlier.generation });
    // The verifier finds that the first leaf has no checkpoint.
    if (!ended) break;
    all.unshift(ended);
    ({ earlier } = ended);
  }
  return { latest, all };
}
