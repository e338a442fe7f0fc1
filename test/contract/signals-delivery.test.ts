/** Signals arrive whatever is wrong with their receiver or the service for a while. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { delivery } from './signals/delivery.ts';
import { operators } from './signals/operators.ts';

const stack = useSharedStack();

describe('the delivery of signals', () => delivery(stack));

describe('operators of signals', () => operators(stack));
