import * as v from 'valibot';
import { variables } from '../../core/environment.ts';

const { ENROLMENTS_TABLE } = variables;

export const environment = v.object({ ENROLMENTS_TABLE });

export type Environment = v.InferOutput<typeof environment>;
