/** What a website meets over HTTP: tokens, devices, enrolment, push and confirmation. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { accountLabel } from './website/account-label.ts';
import { allDevices } from './website/all-devices.ts';
import { accessTokens } from './website/access-tokens.ts';
import { acceptedPush } from './website/accepted-push.ts';
import { bodies } from './website/bodies.ts';
import { confirmation } from './website/confirmation.ts';
import { authorizationDetails } from './website/authorization-details.ts';
import { devices } from './website/devices.ts';
import { enrolment } from './website/enrolment.ts';
import { groups } from './website/groups.ts';
import { idempotence } from './website/idempotence.ts';
import { isolation } from './website/isolation.ts';
import { pushOrder } from './website/push-order.ts';
import { pushRules } from './website/push-rules.ts';
import { scopes } from './website/scopes.ts';
import { withdrawal } from './website/withdrawal.ts';

const stack = useSharedStack();

describe('access tokens', () => accessTokens(stack));
describe('scopes', () => scopes(stack));
describe('request bodies', () => bodies(stack));
describe('enrolment', () => enrolment(stack));
describe('the label of an account', () => accountLabel(stack));
describe('devices', () => devices(stack));
describe('an accepted push', () => acceptedPush(stack));
describe('the rules of a push', () => pushRules(stack));
describe('a question to all devices', () => allDevices(stack));
describe('a group', () => groups(stack));
describe('authorization details', () => authorizationDetails(stack));
describe('the order of checks for a push', () => pushOrder(stack));
describe('the nonce as idempotency key', () => idempotence(stack));
describe('a confirmation', () => confirmation(stack));
describe('a withdrawal', () => withdrawal(stack));
describe('isolation of two tenants', () => isolation(stack));
