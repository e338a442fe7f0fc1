/** What a device meets over HTTP, and what nobody else can do in its place. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { answers } from './device/answers.ts';
import { badResponses } from './device/bad-responses.ts';
import { challenges } from './device/challenges.ts';
import { authorizationDetails } from './device/authorization-details.ts';
import { context } from './device/context.ts';
import { concurrency } from './device/concurrency.ts';
import { enrolment } from './device/enrolment.ts';
import { forgedEnrolments } from './device/forged-enrolments.ts';
import { forgedSignatures } from './device/forged-signatures.ts';
import { impersonation } from './device/impersonation.ts';
import { preview } from './device/preview.ts';
import { pushToken } from './device/push-token.ts';
import { removal } from './device/removal.ts';

const stack = useSharedStack();

describe('enrolment', () => enrolment(stack));
describe('the preview of an enrolment', () => preview(stack));
describe('a forged enrolment', () => forgedEnrolments(stack));
describe('challenges', () => challenges(stack));
describe('answers', () => answers(stack));
describe('answers that do not fit the message', () => badResponses(stack));
describe('authorization details', () => authorizationDetails(stack));
describe('the context', () => context(stack));
describe('answers at once', () => concurrency(stack));
describe('a forged signature', () => forgedSignatures(stack));
describe('in the name of another', () => impersonation(stack));
describe('push token', () => pushToken(stack));
describe('removal', () => removal(stack));
