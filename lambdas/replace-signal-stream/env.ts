import { streamChangeVariables } from '../../core/lambda/signals-environment.ts';

export const environment = streamChangeVariables;
