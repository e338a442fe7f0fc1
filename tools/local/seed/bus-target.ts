import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { busDocuments } from '../../../core/export/kinds/bus/bus-documents.ts';
import type { BusDestination } from '../../../core/export/kinds/bus/record.ts';
import { exporterRoleArnsOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import { accountId } from '../aws/identity.ts';
import { stage } from '../resources/exports.ts';
import { accessAs, type Aws, using } from './aws-access.ts';
import { ensureRole } from './role.ts';

/** In the tenant's account. */
export type BusTarget = { account: string; busName: string; externalId: string };

/** Creates the event bus and the role of a tenant, as `docs/tenants.md` describes. */
export async function makeBusTarget(
  aws: Aws & { endpoints: Record<'eventbridge', string> },
  { account, busName, externalId }: BusTarget,
): Promise<BusDestination> {
  const busArn = `arn:aws:events:${aws.region}:${account}:event-bus/${busName}`;
  const roleName = `${busName}-sender`;
  const operatorRoleArns = exporterRoleArnsOf({ stage, region: aws.region, account: accountId });
  const role = busDocuments({ kind: 'bus', busArn, roleName, externalId, operatorRoleArns });
  await Promise.all([
    ensureRole(aws, account, { name: roleName, ...role }),
    using(new EventBridgeClient(accessAs(account, aws, 'eventbridge')), async (client) => {
      await client.send(new CreateEventBusCommand({ Name: busName }));
    }),
  ]);
  return { kind: 'bus', busArn, roleArn: `arn:aws:iam::${account}:role/${roleName}`, externalId };
}
