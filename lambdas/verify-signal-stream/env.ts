import { verificationOfStreamVariables } from '../../core/lambda/signals-environment.ts';

export const environment = verificationOfStreamVariables;
