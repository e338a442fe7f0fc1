/** What each Lambda costs in calls to AWS. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { roundTrips } from './round-trips.ts';
import { openIdRoundTrips } from './round-trips/openid.ts';
import { exportRoundTrips } from './round-trips/exporting.ts';
import { tenantRoundTrips } from './round-trips/tenants.ts';

const stack = useExclusiveStack();

describe('round trips of the API', () => roundTrips(stack));
describe('round trips of OpenID Connect clients', () => openIdRoundTrips(stack));
describe("round trips of a tenant's requests", () => tenantRoundTrips(stack));
describe('round trips of the export', () => exportRoundTrips(stack));
