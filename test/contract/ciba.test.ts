/** What an OpenID Connect client meets: CIBA Core 1.0 over HTTP. */
import { describe } from '@jest/globals';
import { useSharedStack } from '../support/use-stack.ts';
import { authentication } from './ciba/authentication.ts';
import { details } from './ciba/details.ts';
import { fapi } from './ciba/fapi.ts';
import { fapiConformance } from './ciba/fapi-conformance.ts';
import { otherClients } from './ciba/other-clients.ts';
import { pings } from './ciba/pings.ts';
import { redemption } from './ciba/redemption.ts';
import { requests } from './ciba/requests.ts';
import { standardClient } from './ciba/standard-client.ts';

const stack = useSharedStack();

describe('client authentication', () => authentication(stack));
describe('authentication requests', () => requests(stack));
describe('an unmodified openid-client', () => standardClient(stack));
describe('the token endpoint', () => redemption(stack));
describe('authorization details', () => details(stack));
describe('isolation between clients of one tenant', () => otherClients(stack));
describe('a client with the profile fapi', () => fapi(stack));
describe('the refusals of the conformance suite for FAPI-CIBA', () => fapiConformance(stack));
describe('ping mode', () => pings(stack));
