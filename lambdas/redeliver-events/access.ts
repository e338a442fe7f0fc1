import { defineLambda } from '../define-lambda.ts';
import { toDeliver } from '../permissions.ts';
import { environment } from './env.ts';

export const lambda = defineLambda(environment, {
  tables: {
    tenants: ['BatchGetItem', 'UpdateItem'],
    attempts: ['PutItem'],
    signals: ['PutItem'],
  },
  queues: {
    parking: ['SendMessage', 'ChangeMessageVisibility'],
    undeliverable: ['SendMessage'],
    verifications: ['SendMessage'],
  },
  ...toDeliver,
  timeoutSeconds: 25,
  recursiveLoop:
    'What a target refuses again is parked anew, as often as it refuses. The chain ends when the target accepts it, or after 14 days.',
});
