import { reportVariables } from '../../core/lambda/export-environment.ts';

export const environment = reportVariables;
