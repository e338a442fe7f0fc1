import Sequencer from '@jest/test-sequencer';
import { rankOf } from './slowest.ts';

/** Ends a run with short suites, so that no worker is left with a long one. A fresh clone has no earlier run to learn from. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((one, other) => rankOf(one.path) - rankOf(other.path));
  }
}
