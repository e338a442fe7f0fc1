import * as v from 'valibot';
import { provisioningVariables } from '../../core/lambda/export-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(provisioningVariables, ['PROVISIONING_QUEUE_URL']);

export const lambda = { environment, queues: { provisioning: ['SendMessage'] } } satisfies LambdaDefinition<
  typeof environment
>;
