import * as v from 'valibot';
import { callbackVariables } from '../../core/lambda/callback-environment.ts';
import { variables } from '../../core/lambda/environment.ts';

export const environment = v.object({
  ...callbackVariables.entries,
  ...v.pick(variables, ['CALLBACKS_QUEUE_URL']).entries,
});
