import { clientOf, memberTokenVariables } from '../../core/lambda/token-environment.ts';
import type { LambdaDefinition } from '../lambda-definition.ts';

export const environment = memberTokenVariables(clientOf.helpDesk);

export const lambda = { environment } satisfies LambdaDefinition<typeof environment>;
