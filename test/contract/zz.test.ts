/** What each endpoint costs in calls to AWS, and that its Lambda may make those and no others. */
import { describe } from '@jest/globals';
import { useStack } from '../support/stack.ts';
import { permissions } from './permissions/zz.ts';

const stack = useStack();

describe('permissions', () => permissions(stack));
