import { defineLambda } from '../define-lambda.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: { tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'], events: ['QueryIndex', 'BatchGetItem'] },
  queues: { parking: ['SendMessage'], replays: ['SendMessage', 'ChangeMessageVisibility'] },
  timeoutSeconds: 60,
  recursiveLoop:
    'Each portion of a replay is one message, which sends the next. The chain ends with the replay, because its position only advances.',
});
