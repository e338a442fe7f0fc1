/** Receivers configure streams of signals by the Shared Signals Framework, and get what happens to their tenant's users. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { configuration } from './signals/configuration.ts';
import { conformance } from './signals/conformance.ts';

const stack = useSharedStack();

describe("the OpenID Foundation's conformance modules for transmitters", () => conformance(stack));
describe('the configuration of streams of signals', () => configuration(stack));
