import Sequencer from '@jest/test-sequencer';
import { inOrder } from './slowest.ts';

/** A fresh clone has no earlier run from which jest could learn the order. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    return inOrder([...super.sort(tests)]);
  }
}
