import * as v from 'valibot';
import {
  clientOf,
  memberTokenVariables,
  websiteTokenVariables,
} from '../../core/lambda/token-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.intersect([websiteTokenVariables, memberTokenVariables(clientOf.exportsPage)]);

export type Environment = v.InferOutput<typeof environment>;

export const lambda = { environment, tables: { tenants: ['GetItem'] } } satisfies LambdaDefinition<
  typeof environment
>;
