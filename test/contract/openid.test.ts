/** What an OpenID Connect client meets over HTTP. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { provider } from './openid/provider.ts';

const stack = useSharedStack();

describe('the OpenID provider', () => provider(stack));
