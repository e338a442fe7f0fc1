/** What the help desk may do, and what each act leaves in the tenant's log. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { callerCheck } from './staff/caller-check.ts';
import { staffExports } from './staff/exports.ts';
import { recovery } from './staff/recovery.ts';
import { users } from './staff/users.ts';

const stack = useSharedStack();

describe('a member of the help desk', () => users(stack));
describe('a recovery that the help desk allows', () => recovery(stack));
describe('"Is it really you?"', () => callerCheck(stack));
describe('exports and tenants, for operators', () => staffExports(stack));
