import { callbackVariables } from '../../core/lambda/callback-environment.ts';

export const environment = callbackVariables;
