import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'EVENTS_TABLE',
  'LOG_TABLE',
  'LOG_KEY_ID',
  'LOG_KID',
  'BASE_URL',
]);

export const lambda = {
  environment,
  tables: {
    events: ['QueryIndex', 'BatchGetItem', 'PutItem'],
    log: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  kms: { log: ['Sign'] },
  // It begins nothing new after 15 seconds.
  timeoutSeconds: 30,
} satisfies LambdaDefinition<typeof environment>;
