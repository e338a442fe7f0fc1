import type { Export } from '../api/shapes.ts';
import { categoryNames, outcomeLabels, labelOf } from '../text/labels.ts';
import { isUnderTest } from './test-progress.ts';

/** What a screen reader says after a refresh: states that have changed, and tests that have ended. */
export function changesIn(before: readonly Export[] | undefined, after: readonly Export[]): string {
  return after
    .flatMap((one) => {
      const earlier = before?.find(({ category }) => category === one.category);
      if (!earlier) return [];
      const name = categoryNames[one.category];
      const state = earlier.state === one.state ? [] : [`${name}: now ${labelOf(one.state).label}.`];
      const hasEnded = isUnderTest(earlier) && !isUnderTest(one) && one.lastTest;
      return hasEnded ? [...state, `${name}: ${outcomeLabels[hasEnded.outcome].label}`] : state;
    })
    .join(' ');
}
