import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['EVENTS_TABLE', 'LEDGER_TABLE']);

export const lambda = {
  environment,
  tables: { events: ['QueryIndex'], ledger: ['Query', 'BatchWriteItem'] },
  // It counts for 20 seconds at most, and then keeps what it has.
  timeoutSeconds: 29,
} satisfies LambdaDefinition<typeof environment>;
