import { streamVariables } from '../../core/lambda/signals-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = streamVariables;

export const lambda = { environment, tables: { tenants: ['GetItem', 'Query'] } } satisfies LambdaDefinition<
  typeof environment
>;
