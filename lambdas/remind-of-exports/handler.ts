import { lookAtAiling, type LookDeps } from '../../core/export/notices/look-at-ailing.ts';
import { measureStuckTargets } from '../../core/export/notices/notice-metrics.ts';

/** Looks at the targets that are not well, mostly none. */
export const createHandler = (deps: LookDeps) => async (): Promise<void> => {
  const stuck = await lookAtAiling(deps);
  if (stuck > 0) measureStuckTargets(stuck);
};
