import { policy } from '../policies/policy-document.ts';
import type { TenantRole } from '../role/assumed-role-client.ts';
import { busWriting } from './bus-policies.ts';
import type { BusDestination } from './record.ts';

export const busRole = ({ roleArn, externalId, busArn }: BusDestination): TenantRole => ({
  roleArn,
  externalId,
  resourceArn: busArn,
  sessionPolicy: (resourceArn) => JSON.stringify(policy(busWriting(resourceArn))),
});
