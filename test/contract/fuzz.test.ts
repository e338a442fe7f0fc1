/** The edges of the service under abuse, and the whole of it under load. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { edges } from './fuzz/edges.ts';
import { load } from './fuzz/load.ts';

const stack = useExclusiveStack();

describe('random requests', () => edges(stack));
describe('the service under load', () => load(stack));
