import * as v from 'valibot';
import { exportVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(exportVariables, ['TENANTS_TABLE', 'EVENTS_TABLE', 'REPLAYS_QUEUE_URL']);

export const lambda = {
  environment,
  tables: { tenants: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'], events: ['QueryIndex'] },
  queues: { replays: ['SendMessage'] },
} satisfies LambdaDefinition<typeof environment>;
