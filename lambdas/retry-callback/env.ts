import type * as v from 'valibot';
import { callbackVariables } from '../../core/lambda/callback-wiring.ts';

export const environment = callbackVariables;

export type Environment = v.InferOutput<typeof environment>;
