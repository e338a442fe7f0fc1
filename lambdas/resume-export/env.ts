import type * as v from 'valibot';
import { tenantViewVariables } from '../../core/lambda/export-environment.ts';

export const environment = tenantViewVariables;

export type Environment = v.InferOutput<typeof environment>;
