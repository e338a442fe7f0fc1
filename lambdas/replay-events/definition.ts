import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.object({
  ...v.pick(exportVariables, ['TENANTS_TABLE', 'EVENTS_TABLE', 'PARKING_QUEUE_URL', 'REPLAYS_QUEUE_URL'])
    .entries,
  /** Seconds by which the index of events may be behind their table. */
  REPLAY_INDEX_DELAY: v.optional(v.pipe(v.string(), v.regex(/^\d{1,2}$/), v.transform(Number)), '30'),
});

export const lambda = {
  environment,
  tables: { tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'], events: ['QueryIndex', 'BatchGetItem'] },
  queues: { parking: ['SendMessage'], replays: ['SendMessage', 'ChangeMessageVisibility'] },
  timeoutSeconds: 60,
  recursiveLoop:
    'Each portion of a replay is one message, which sends the next. The chain ends with the replay, because its position only advances.',
} satisfies LambdaDefinition<typeof environment>;
