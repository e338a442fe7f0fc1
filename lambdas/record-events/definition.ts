import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['EVENTS_TABLE', 'LEDGER_TABLE']);

export const lambda = {
  environment,
  tables: { events: ['BatchGetItem', 'PutItem'], ledger: ['UpdateItem'] },
} satisfies LambdaDefinition<typeof environment>;
