import { noticeVariables } from '../../core/lambda/notice-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = noticeVariables;

export const lambda = {
  environment,
  kms: { secrets: ['Decrypt'] },
  mail: true,
  operatorBus: true,
  tables: { tenants: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'], events: ['PutItem'] },
  // A contact has five seconds.
  timeoutSeconds: 30,
} satisfies LambdaDefinition<typeof environment>;
