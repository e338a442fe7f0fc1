import * as v from 'valibot';
import { baseUrlVariables, applications, pushVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, [
  'ENROLMENTS_TABLE',
  'DEVICES_TABLE',
  'TENANTS_TABLE',
  'EVENTS_TABLE',
  ...baseUrlVariables,
  'RP_ID',
  'RECEIPT_KEY_ID',
  'RECEIPT_KID',
  ...applications,
  ...pushVariables,
  'WEB_PUSH_PUBLIC_KEY',
]);

export const lambda = {
  environment,
  tables: {
    enrolments: ['GetItem', 'UpdateItem'],
    devices: ['GetItem', 'Query', 'PutItem', 'ConditionCheckItem'],
    tenants: ['GetItem'],
    events: ['PutItem'],
  },
  push: ['CreatePlatformEndpoint', 'SetEndpointAttributes', 'Publish'],
  secrets: { webPush: ['GetSecretValue'] },
  kms: { receipts: ['Sign'] },
} satisfies LambdaDefinition<typeof environment>;
