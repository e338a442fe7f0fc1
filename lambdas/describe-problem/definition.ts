import * as v from 'valibot';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.object({});

export const lambda = { environment } satisfies LambdaDefinition<typeof environment>;
