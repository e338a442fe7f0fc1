import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';

export const environment = v.object({
  ...v.pick(exportVariables, ['TENANTS_TABLE', 'EVENTS_TABLE', 'PARKING_QUEUE_URL', 'REPLAYS_QUEUE_URL'])
    .entries,
  /** Seconds by which the index of events may be behind their table. */
  REPLAY_INDEX_DELAY: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)), '30'),
});
