/**
 * What each Lambda may do, in one place. The tables that a Lambda must be given here are those that its
 * environment names, so a table without actions, or actions without a table, does not compile.
 */
import type { tables } from '../core/adapters/tables.ts';
import type { Environments, LambdaName } from '../lambdas/environments.ts';

type TableAction = 'GetItem' | 'BatchGetItem' | 'Query' | 'PutItem' | 'UpdateItem' | 'DeleteItem';
/** `CreatePlatformEndpoint` is for an application; the others for the endpoints of one. */
type PushAction = 'CreatePlatformEndpoint' | 'SetEndpointAttributes' | 'DeleteEndpoint' | 'Publish';

type TablesOf<Name extends LambdaName> = {
  [Table in keyof typeof tables]: `${Uppercase<Table>}_TABLE` extends keyof Environments[Name]
    ? Table
    : never;
}[keyof typeof tables];

export type Access<Name extends LambdaName = LambdaName> = {
  tables: Record<TablesOf<Name>, readonly TableAction[]>;
} & ('FCM_APPLICATION_ARN' extends keyof Environments[Name]
  ? { push: readonly PushAction[] }
  : { push?: readonly Exclude<PushAction, 'CreatePlatformEndpoint'>[] });

const send = {
  tables: {
    devices: ['Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    confirmations: ['GetItem', 'PutItem', 'UpdateItem'],
    events: ['PutItem'],
  },
  push: ['Publish', 'CreatePlatformEndpoint', 'SetEndpointAttributes'],
} as const;

export const access: { [Name in LambdaName]: Access<Name> } = {
  authorize: { tables: { tenants: ['GetItem'] } },
  'list-devices': { tables: { devices: ['Query'] } },
  'remove-device': {
    tables: {
      devices: ['Query', 'PutItem', 'DeleteItem'],
      confirmations: ['GetItem', 'UpdateItem'],
      events: ['PutItem'],
    },
    push: ['DeleteEndpoint'],
  },
  'send-to-device': send,
  'send-to-user': send,
  'get-confirmation': { tables: { confirmations: ['GetItem', 'UpdateItem'], events: ['PutItem'] } },
  'start-enrolment': { tables: { enrolments: ['PutItem'] } },
  'get-enrolment': { tables: { enrolments: ['GetItem'] } },
  'enrol-device': {
    tables: {
      enrolments: ['GetItem', 'UpdateItem'],
      devices: ['Query', 'PutItem'],
      events: ['PutItem'],
    },
    push: ['CreatePlatformEndpoint', 'SetEndpointAttributes'],
  },
  'list-challenges': {
    tables: { devices: ['BatchGetItem', 'UpdateItem'], confirmations: ['UpdateItem'] },
  },
  'answer-challenge': {
    tables: {
      devices: ['BatchGetItem', 'PutItem'],
      confirmations: ['BatchGetItem', 'UpdateItem'],
      events: ['PutItem'],
    },
  },
  'refresh-push-token': {
    tables: { devices: ['GetItem', 'Query', 'PutItem', 'DeleteItem'] },
    push: ['CreatePlatformEndpoint', 'SetEndpointAttributes', 'DeleteEndpoint'],
  },
  'unregister-device': {
    tables: {
      devices: ['BatchGetItem', 'Query', 'PutItem', 'DeleteItem'],
      confirmations: ['GetItem', 'UpdateItem'],
      events: ['PutItem'],
    },
    push: ['DeleteEndpoint'],
  },
};
