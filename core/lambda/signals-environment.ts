import * as v from 'valibot';
import { exportVariables } from './export-environment.ts';
import { variables } from './environment.ts';

/** The environment of the Lambdas by which receivers configure their streams of signals. */
export const streamVariables = v.pick(variables, ['TENANTS_TABLE', 'BASE_URL']);

/** For Lambdas that take a URL of pushes, and the header that comes with it. */
export const streamChangeVariables = v.object({
  ...streamVariables.entries,
  ...v.pick(variables, ['SECRETS_KEY_ID', 'OUTBOUND_LOOPBACK']).entries,
});

/** For Lambdas that see or discard what waits to be polled. */
export const polledVariables = v.pick(variables, ['TENANTS_TABLE', 'SIGNALS_TABLE']);

export const verificationOfStreamVariables = v.pick(exportVariables, ['TENANTS_TABLE', 'PARKING_QUEUE_URL']);
