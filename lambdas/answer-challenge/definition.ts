import * as v from 'valibot';
import {
  baseUrlVariables,
  pushVariables,
  relyingPartyVariables,
  variables,
} from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...baseUrlVariables,
  ...relyingPartyVariables,
  ...pushVariables,
]);

export const lambda = {
  environment,
  tables: {
    devices: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem'],
    confirmations: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['Publish'],
  secrets: { webPush: ['GetSecretValue'] },
} satisfies LambdaDefinition<typeof environment>;
