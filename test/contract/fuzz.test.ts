/** The edges of the service under abuse. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { edges } from './fuzz/edges.ts';

const stack = useExclusiveStack();

describe('random requests', () => edges(stack));
