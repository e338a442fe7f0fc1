import { polledVariables } from '../../core/lambda/signals-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = polledVariables;

export const lambda = {
  environment,
  tables: {
    tenants: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    signals: ['Query', 'BatchWriteItem'],
  },
} satisfies LambdaDefinition<typeof environment>;
