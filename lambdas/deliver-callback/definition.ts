import * as v from 'valibot';
import { callbackVariables } from '../../core/lambda/callback-environment.ts';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.object({
  ...callbackVariables.entries,
  ...v.pick(variables, ['CALLBACKS_QUEUE_URL']).entries,
});

export const lambda = {
  environment,
  tables: {
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    tenants: ['BatchGetItem', 'UpdateItem'],
    attempts: ['PutItem'],
  },
  queues: { callbacks: ['ChangeMessageVisibility'], retries: ['SendMessage'] },
  kms: { secrets: ['Decrypt'] },
  timeoutSeconds: 20,
} satisfies LambdaDefinition<typeof environment>;
