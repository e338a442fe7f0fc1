import type * as v from 'valibot';
import { reportVariables } from '../../core/lambda/export-environment.ts';

export const environment = reportVariables;

export type Environment = v.InferInput<typeof environment>;
