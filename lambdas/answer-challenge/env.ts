import * as v from 'valibot';
import {
  baseUrlVariables,
  pushVariables,
  relyingPartyVariables,
  variables,
} from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...baseUrlVariables,
  ...relyingPartyVariables,
  ...pushVariables,
]);
