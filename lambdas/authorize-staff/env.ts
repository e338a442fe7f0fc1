import { clientOf, memberTokenVariables } from '../../core/lambda/token-environment.ts';

export const environment = memberTokenVariables(clientOf.helpDesk);
