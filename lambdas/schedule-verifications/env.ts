import type * as v from 'valibot';
import { schedulingVariables } from '../../core/lambda/export-environment.ts';

export const environment = schedulingVariables;

export type Environment = v.InferInput<typeof environment>;
