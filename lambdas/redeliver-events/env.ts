import type * as v from 'valibot';
import { exportVariables } from '../../core/export-environment.ts';

export const environment = exportVariables;

export type Environment = v.InferInput<typeof environment>;
