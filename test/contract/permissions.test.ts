/** Each Lambda may make the calls to AWS that it makes, and no others. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { permissions } from './permissions/permissions.ts';

// What the Lambdas call when they are new is among it.
const stack = useExclusiveStack({ untouched: 'everything' });

describe('permissions', () => permissions(stack));
