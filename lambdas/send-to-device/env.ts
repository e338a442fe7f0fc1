import * as v from 'valibot';
import { applications, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, [
  'DEVICES_TABLE',
  'CONFIRMATIONS_TABLE',
  'EVENTS_TABLE',
  ...applications,
]);

export type Environment = v.InferOutput<typeof environment>;
