/** Passkeys over HTTP: how a device proves that it verified its user, and what does not prove it. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { answersWithPasskey } from './user-verification/answers.ts';
import { forgedAssertions } from './user-verification/forged-assertions.ts';
import { forgedPasskeys } from './user-verification/forged-passkeys.ts';
import { modes } from './user-verification/modes.ts';
import { passkeys } from './user-verification/passkeys.ts';

const stack = useSharedStack();

describe('a passkey', () => passkeys(stack));
describe('an enrolment with a forged passkey', () => forgedPasskeys(stack));
describe('an answer with a passkey', () => answersWithPasskey(stack));
describe('an answer with a forged assertion', () => forgedAssertions(stack));
describe("a tenant's mode of user verification", () => modes(stack));
