import { schedulingVariables } from '../../core/lambda/export-environment.ts';

export const environment = schedulingVariables;
