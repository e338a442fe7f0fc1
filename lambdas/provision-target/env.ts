import type * as v from 'valibot';
import { provisioningVariables } from '../../core/lambda/export-environment.ts';

export const environment = provisioningVariables;

export type Environment = v.InferInput<typeof environment>;
