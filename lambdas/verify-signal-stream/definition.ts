import { verificationOfStreamVariables } from '../../core/lambda/signals-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = verificationOfStreamVariables;

export const lambda = {
  environment,
  tables: { tenants: ['GetItem', 'UpdateItem'] },
  queues: { parking: ['SendMessage'] },
} satisfies LambdaDefinition<typeof environment>;
