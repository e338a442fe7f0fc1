/** What callers meet while AWS fails beneath the service: nothing is lost, doubled or given away. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { busyKeys } from './faults/busy-keys.ts';
import { busyTables } from './faults/busy-tables.ts';
import { delivery } from './faults/delivery.ts';
import { leftEndpoints } from './faults/left-endpoints.ts';
import { lostAnswers } from './faults/lost-answers.ts';
import { unreachable } from './faults/unreachable.ts';

const stack = useExclusiveStack();

describe('SNS does not take a push', () => delivery(stack));
describe('a device that cannot be reached', () => unreachable(stack));
describe('DynamoDB refuses', () => busyTables(stack));
describe('KMS refuses', () => busyKeys(stack));
describe('SNS does not delete an endpoint', () => leftEndpoints(stack));
describe('work is done but its answer is lost', () => lostAnswers(stack));
