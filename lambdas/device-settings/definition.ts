import * as v from 'valibot';
import { relyingPartyVariables, variables } from '../../core/lambda/environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = v.pick(variables, ['WEB_PUSH_PUBLIC_KEY', ...relyingPartyVariables]);

export const lambda = { environment } satisfies LambdaDefinition<typeof environment>;
