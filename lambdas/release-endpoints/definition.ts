import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['DEVICES_TABLE']);

export const lambda = {
  environment,
  tables: { devices: ['Query', 'DeleteItem'] },
  push: ['DeleteEndpoint'],
  timeoutSeconds: 300,
} satisfies LambdaDefinition<typeof environment>;
