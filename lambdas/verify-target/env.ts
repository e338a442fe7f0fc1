import type * as v from 'valibot';
import { verificationVariables } from '../../core/lambda/export-environment.ts';

export const environment = verificationVariables;

export type Environment = v.InferInput<typeof environment>;
