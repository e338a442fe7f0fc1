import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['EXPIRIES_TABLE', 'EXPIRY_QUEUE_URL']);

export const lambda = {
  environment,
  tables: { expiries: ['Query', 'BatchWriteItem'] },
  queues: { expiry: ['SendMessage'] },
  timeoutSeconds: 300,
} satisfies LambdaDefinition<typeof environment>;
