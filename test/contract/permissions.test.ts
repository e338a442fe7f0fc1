/** What each Lambda costs in calls to AWS, and that it may make those and no others. */
import { describe } from '@jest/globals';
import { useExclusiveStack } from '../support/use-stack.ts';
import { permissions } from './permissions/permissions.ts';
import { roundTrips } from './round-trips.ts';
import { openIdRoundTrips } from './round-trips/openid.ts';
import { exportRoundTrips } from './round-trips/exporting.ts';
import { tenantRoundTrips } from './round-trips/tenants.ts';

// What the Lambdas call when they are new is among it.
const stack = useExclusiveStack({ untouched: 'everything' });

describe('permissions', () => permissions(stack));
describe('round trips of the API', () => roundTrips(stack));
describe('round trips of OpenID Connect clients', () => openIdRoundTrips(stack));
describe("round trips of a tenant's requests", () => tenantRoundTrips(stack));
describe('round trips of the export', () => exportRoundTrips(stack));
