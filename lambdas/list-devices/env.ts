import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const { DEVICES_TABLE } = variables;

export const environment = v.object({ DEVICES_TABLE });

export type Environment = v.InferOutput<typeof environment>;
