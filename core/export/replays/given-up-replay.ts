import { countLost, openLosses, type Target } from '../targets/target.ts';
import type { Replay } from './replay.ts';

type Range = { from: number; to: number };

export type GivenUpReplay = Range & { givenUp: NonNullable<Replay['givenUp']> };

/**
 * The replay of what a target gave up, and of nothing that was accepted between.
 *
 * @returns undefined if nothing was given up
 */
export function replayOfGivenUp(target: Target): GivenUpReplay | undefined {
  const losses = openLosses(target);
  const ranges = withoutOverlaps(losses);
  const [first, last] = [ranges[0], ranges.at(-1)];
  if (!first || !last) return undefined;
  const count = countLost(losses);
  return { from: first.from, to: last.to, givenUp: { ranges, ...(count !== null && { count }) } };
}

/** In their order. Ranges that touch become one. */
function withoutOverlaps(losses: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { from, to } of losses.toSorted((a, b) => a.from - b.from)) {
    const before = ranges.at(-1);
    if (before && from <= before.to) before.to = Math.max(before.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}
