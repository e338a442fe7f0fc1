import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../core/events/target-ref.ts';
import type { Register } from '../export/register.ts';
import { SharedBatch } from './batches.ts';

const attempts = 5;

/** What is measured at targets, and what it leaves of them where nothing was slow. */
export type Measurement = {
  prepare: () => Promise<TargetRef[]>;
  measure: (...refs: TargetRef[]) => Promise<string[][]>;
  trace?: (target: Target) => unknown;
};

/**
 * On a busy machine a call may take more than a second. That it does is written down, and the target's next events go
 * another way: where it left a trace, it is measured once more. So it is where another target's events came in the same batch,
 * or an earlier event was counted only now.
 */
export async function measureUnhurried(
  register: Register,
  { prepare, measure, trace = ({ stateSince }) => stateSince }: Measurement,
): Promise<string[][]> {
  const tracesOf = async (refs: readonly TargetRef[]): Promise<unknown> =>
    await Promise.all(refs.map(async (ref) => trace(await register.find(ref))));
  for (let attempt = 1; ; attempt += 1) {
    const refs = await prepare();
    const before = await tracesOf(refs);
    const batches = await measure(...refs).catch((error: unknown) => {
      if (error instanceof SharedBatch && attempt < attempts) return undefined;
      throw error;
    });
    const isTraced = !isDeepStrictEqual(await tracesOf(refs), before);
    const isWhole = batches !== undefined && batches.length > 0 && !isTraced;
    if (isWhole || (batches && attempt === attempts)) return batches;
  }
}
