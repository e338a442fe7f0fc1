import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const { DEVICES_TABLE, CONFIRMATIONS_TABLE, EVENTS_TABLE, BASE_URL } = variables;

export const environment = v.object({ DEVICES_TABLE, CONFIRMATIONS_TABLE, EVENTS_TABLE, BASE_URL });

export type Environment = v.InferOutput<typeof environment>;
