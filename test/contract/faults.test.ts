/** What callers meet while AWS fails beneath the service: nothing is lost, doubled or given away. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { busyIndex } from './faults/busy-index.ts';
import { busyKeys } from './faults/busy-keys.ts';
import { busyTables } from './faults/busy-tables.ts';
import { delivery } from './faults/delivery.ts';
import { frozen } from './faults/frozen.ts';
import { lostAnswers } from './faults/lost-answers.ts';
import { unreachable } from './faults/unreachable.ts';

const stack = useExclusiveStack({ untouched: 'everything' });

// First, while Lambdas have as few connections as on AWS, where an environment has one call at a time.
describe('a Lambda after a freeze', () => frozen(stack));
describe('a failed call to SNS', () => delivery(stack));
describe('an unreachable device', () => unreachable(stack));
describe('a fault of DynamoDB', () => busyTables(stack));
describe('a throttled key of the index of events', () => busyIndex(stack));
describe('a fault of KMS', () => busyKeys(stack));
describe('an operation whose answer is lost', () => lostAnswers(stack));
