/** What a device meets over HTTP, and what nobody else can do in its place. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { answers } from './device/answers.ts';
import { badResponses } from './device/bad-responses.ts';
import { brand } from './device/brand.ts';
import { challenges } from './device/challenges.ts';
import { authorizationDetails } from './device/authorization-details.ts';
import { context } from './device/context.ts';
import { returnTo } from './device/return-to.ts';
import { concurrency } from './device/concurrency.ts';
import { enrolment } from './device/enrolment.ts';
import { forgedEnrolments } from './device/forged-enrolments.ts';
import { forgedSignatures } from './device/forged-signatures.ts';
import { formerBaseUrl } from './device/former-base-url.ts';
import { impersonation } from './device/impersonation.ts';
import { preview } from './device/preview.ts';
import { pushToken } from './device/push-token.ts';
import { removal } from './device/removal.ts';

const stack = useSharedStack();

describe('enrolment', () => enrolment(stack));
describe('the preview of an enrolment', () => preview(stack));
describe('the brand of a tenant', () => brand(stack));
describe('a signed enrolment', () => forgedEnrolments(stack));
describe('fetching challenges', () => challenges(stack));
describe('the way back to the website', () => returnTo(stack));
describe('answers', () => answers(stack));
describe('answers to another message', () => badResponses(stack));
describe('authorization details', () => authorizationDetails(stack));
describe('the signed context', () => context(stack));
describe('parallel answers', () => concurrency(stack));
describe('a signed answer', () => forgedSignatures(stack));
describe('a former base URL', () => formerBaseUrl(stack));
describe('impersonation', () => impersonation(stack));
describe('the push token', () => pushToken(stack));
describe('the removal of a device by itself', () => removal(stack));
