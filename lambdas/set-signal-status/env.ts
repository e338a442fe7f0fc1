import { polledVariables } from '../../core/lambda/signals-environment.ts';

export const environment = polledVariables;
