import { timeText } from '#ui/times.ts';
import type { LogCheck } from '../log/check-log.ts';

/** What was found of the log, in a line. */
export function logTitle({ outcome, since }: LogCheck): string {
  switch (outcome) {
    case 'first':
      return 'This browser sees the log for the first time';
    case 'unchanged':
      return `Nothing was changed since ${since === undefined ? 'your checkpoint' : timeText(since)}`;
    case 'changed':
      return 'The log does not continue the earlier checkpoint';
    case 'other-log':
      return 'The earlier checkpoint is of another log';
    case 'unreadable':
      return 'This is not a checkpoint';
  }
}
