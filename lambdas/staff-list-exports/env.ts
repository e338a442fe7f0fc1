import { tenantViewVariables } from '../../core/lambda/export-environment.ts';

export const environment = tenantViewVariables;
