import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['LOG_TABLE', 'LOG_KEY_ID', 'LOG_KID', 'BASE_URL']);

export const lambda = {
  environment,
  tables: { log: ['GetItem', 'UpdateItem'] },
  kms: { log: ['Sign'] },
} satisfies LambdaDefinition<typeof environment>;
