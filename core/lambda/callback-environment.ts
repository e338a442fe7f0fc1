import * as v from 'valibot';
import { variables } from './environment.ts';

/** The environment of the Lambdas that send callbacks. */
export const callbackVariables = v.object({
  ...v.pick(variables, [
    'CONFIRMATIONS_TABLE',
    'TENANTS_TABLE',
    'ATTEMPTS_TABLE',
    'RETRIES_QUEUE_URL',
    'SECRETS_KEY_ID',
    'OUTBOUND_LOOPBACK',
  ]).entries,
});

export type CallbackEnvironment = v.InferOutput<typeof callbackVariables>;
