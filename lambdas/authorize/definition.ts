import type * as v from 'valibot';
import { websiteTokenVariables } from '../../core/lambda/token-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = websiteTokenVariables;

export type Environment = v.InferOutput<typeof environment>;

export const lambda = { environment, tables: { tenants: ['GetItem'] } } satisfies LambdaDefinition<
  typeof environment
>;
