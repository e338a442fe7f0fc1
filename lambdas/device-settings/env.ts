import * as v from 'valibot';
import { relyingPartyVariables, variables } from '../../core/lambda/environment.ts';

export const environment = v.pick(variables, ['WEB_PUSH_PUBLIC_KEY', ...relyingPartyVariables]);
