import type * as v from 'valibot';
import { websiteTokenVariables } from '../../core/lambda/token-environment.ts';

export const environment = websiteTokenVariables;

export type Environment = v.InferOutput<typeof environment>;
