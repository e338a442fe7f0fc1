import type { Export } from '../api/shapes.ts';
import { categoryNames, outcomeWords, wordsOf } from '../text/words.ts';
import { isUnderTest } from './test-progress.ts';

/** What a screen reader says after a refresh: states that have changed, and tests that have ended. */
export function changesIn(before: readonly Export[] | undefined, after: readonly Export[]): string {
  return after
    .flatMap((one) => {
      const earlier = before?.find(({ category }) => category === one.category);
      if (!earlier) return [];
      const name = categoryNames[one.category];
      const state = earlier.state === one.state ? [] : [`${name}: now ${wordsOf(one.state).label}.`];
      const hasEnded = isUnderTest(earlier) && !isUnderTest(one) && one.lastTest;
      return hasEnded ? [...state, `${name}: ${outcomeWords[hasEnded.outcome].label}`] : state;
    })
    .join(' ');
}
