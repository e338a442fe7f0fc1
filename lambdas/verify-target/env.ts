import { verificationVariables } from '../../core/lambda/export-environment.ts';

export const environment = verificationVariables;
