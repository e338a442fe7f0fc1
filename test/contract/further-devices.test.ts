/** What protects a user's devices from a stolen web session. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { confirmations } from './further-devices/confirmations.ts';
import { notices } from './further-devices/notices.ts';
import { recovery } from './further-devices/recovery.ts';
import { thief } from './further-devices/thief.ts';
import { waysAround } from './further-devices/ways-around.ts';

const stack = useSharedStack();

describe('notices about devices', () => notices(stack));
describe('changing devices with the rule "confirm"', () => confirmations(stack));
describe('recovery by the help desk', () => recovery(stack));
describe('a way around the rule "confirm"', () => waysAround(stack));
describe('a thief with the unlocked phone and a web session', () => thief(stack));
