import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const { CONFIRMATIONS_TABLE, EVENTS_TABLE } = variables;

export const environment = v.object({ CONFIRMATIONS_TABLE, EVENTS_TABLE });

export type Environment = v.InferOutput<typeof environment>;
