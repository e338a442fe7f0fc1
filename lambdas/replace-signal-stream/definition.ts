import { streamChangeVariables } from '../../core/lambda/signals-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = streamChangeVariables;

export const lambda = {
  environment,
  tables: { tenants: ['GetItem', 'UpdateItem'] },
  kms: { secrets: ['Encrypt'] },
} satisfies LambdaDefinition<typeof environment>;
