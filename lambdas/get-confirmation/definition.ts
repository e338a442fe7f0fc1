import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['CONFIRMATIONS_TABLE', 'EVENTS_TABLE']);

export const lambda = {
  environment,
  tables: { confirmations: ['GetItem', 'UpdateItem'], events: ['PutItem'] },
  // Most calls of the API are polls, and a poll is one read. Their traces would cost more than those of all other calls and
  // show nothing that the route's metrics do not show.
  untraced: true,
} satisfies LambdaDefinition<typeof environment>;
