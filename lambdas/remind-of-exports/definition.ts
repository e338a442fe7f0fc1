import * as v from 'valibot';
import { noticeVariables } from '../../core/lambda/notice-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.omit(noticeVariables, ['EVENTS_TABLE']);

export const lambda = {
  environment,
  kms: { secrets: ['Decrypt'] },
  mail: true,
  operatorBus: true,
  tables: { tenants: ['BatchGetItem', 'Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'] },
  timeoutSeconds: 280,
} satisfies LambdaDefinition<typeof environment>;
