import { policy } from '../policies/policy-document.ts';
import type { TenantRole } from '../role/assumed-role-client.ts';
import type { StreamDestination } from './record.ts';
import { streamKeyUse, streamWriting } from './stream-policies.ts';

/** The most that the session may do, whatever the role allows: what the tenant's policies say, with any key of the stream. */
export function sessionPolicy(streamArn: string): string {
  const [, , , region = ''] = streamArn.split(':');
  return JSON.stringify(policy(streamWriting(streamArn), streamKeyUse({ keyArn: '*', streamArn, region })));
}

export const streamRole = ({ roleArn, externalId, streamArn }: StreamDestination): TenantRole => ({
  roleArn,
  externalId,
  resourceArn: streamArn,
  sessionPolicy,
});
