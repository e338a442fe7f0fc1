import type * as v from 'valibot';
import { provisioningVariables } from '../../core/export-environment.ts';

export const environment = provisioningVariables;

export type Environment = v.InferInput<typeof environment>;
