import * as v from 'valibot';
import { variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['SIGNAL_KEY_IDS']);

export const lambda = { environment, kms: { signals: ['GetPublicKey'] } } satisfies LambdaDefinition<
  typeof environment
>;
