import { closeMinutes, type ClosingDeps } from '../../core/export/log/close-minutes.ts';
import { recordCheckpoints, type HourlyDeps } from '../../core/export/log/record-checkpoints.ts';
import { seconds } from '../../core/kernel/time.ts';

export type Deps = ClosingDeps & HourlyDeps;

/** The rest of the Lambda's time is for the minute that is being closed. */
const timeToBegin = 15 * seconds;

/** Closes the minutes that are over, and records the checkpoints of the hours that are. */
export const createHandler = (deps: Deps) => async (): Promise<void> => {
  const now = Date.now();
  const results = await Promise.allSettled([
    closeMinutes(deps, now, now + timeToBegin),
    recordCheckpoints(deps, now),
  ]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
};
