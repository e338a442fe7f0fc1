import type { TargetRef } from '../../events/target-ref.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { LogHead } from './log-head.ts';
import type { LogStore } from './log-store.ts';

export const noSuchLog = (generation: number): Refusal =>
  new Refusal('not-in-log', `There is no log of generation ${generation}.`);

/**
 * A log of a tenant and category.
 *
 * @param generation by default the latest; others were ended by a restore
 * @throws {Refusal} `not-in-log`
 */
export async function findLog(
  logs: Pick<LogStore, 'head' | 'endedHead'>,
  ref: TargetRef,
  generation?: number,
): Promise<LogHead> {
  const latest = await logs.head(ref);
  if (generation === undefined || generation === latest.log.generation) return latest;
  const ended = await logs.endedHead({ ...ref, generation });
  if (ended) return ended;
  throw noSuchLog(generation);
}
