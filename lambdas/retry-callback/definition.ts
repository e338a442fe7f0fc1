import { callbackVariables } from '../../core/lambda/callback-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = callbackVariables;

export const lambda = {
  environment,
  tables: {
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    attempts: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  queues: { retries: ['ChangeMessageVisibility'] },
  kms: { secrets: ['Decrypt'] },
  // A call takes 10 s at most.
  timeoutSeconds: 20,
} satisfies LambdaDefinition<typeof environment>;
