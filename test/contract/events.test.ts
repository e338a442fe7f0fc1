/** What the platform's services meet over HTTP when they record events, and what is stored of it. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { rate } from './events/rate.ts';
import { recording } from './events/recording.ts';
import { refusals } from './events/refusals.ts';

const stack = useExclusiveStack();

describe('recording events', () => recording(stack));
describe('events in a second', () => rate(stack));
describe('a call', () => refusals(stack));
