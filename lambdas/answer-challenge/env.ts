import * as v from 'valibot';
import { relyingPartyVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  'BASE_URL',
  ...relyingPartyVariables,
]);
