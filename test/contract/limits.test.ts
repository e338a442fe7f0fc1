/** How often a user can be asked, and what happens when nobody answers. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { useExpiring } from './limits/expiring.ts';
import { expiry } from './limits/expiry.ts';
import { limits } from './limits/limits.ts';
import { pauses } from './limits/pauses.ts';

const stack = useSharedStack();
/** Sent before everything else, so that their half minute passes while other tests run. */
const expiring = useExpiring(stack);

describe('push limits', () => limits(stack));
describe('a pause', () => pauses(stack));
describe('an expired confirmation', () => expiry(stack, expiring));
