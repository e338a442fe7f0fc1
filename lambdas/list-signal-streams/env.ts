import { streamVariables } from '../../core/lambda/signals-environment.ts';

export const environment = streamVariables;
