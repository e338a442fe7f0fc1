import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['CONFIRMATIONS_TABLE']);

export const lambda = { environment, tables: { confirmations: ['GetItem'] } } satisfies LambdaDefinition<
  typeof environment
>;
