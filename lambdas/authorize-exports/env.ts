import * as v from 'valibot';
import {
  clientOf,
  memberTokenVariables,
  websiteTokenVariables,
} from '../../core/lambda/token-environment.ts';

export const environment = v.intersect([websiteTokenVariables, memberTokenVariables(clientOf.exportsPage)]);

export type Environment = v.InferOutput<typeof environment>;
