import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['EXPIRIES_TABLE', 'EXPIRY_QUEUE_URL', 'CALLBACKS_QUEUE_URL']);

export const lambda = {
  environment,
  tables: { expiries: ['BatchWriteItem'] },
  queues: { expiry: ['SendMessage'], callbacks: ['SendMessage'] },
} satisfies LambdaDefinition<typeof environment>;
