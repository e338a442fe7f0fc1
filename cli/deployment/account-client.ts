import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import {
  deliveryBoundaryNameOf,
  deliveryRoleOf,
  type DeliveryRole,
} from '../../core/export/verification/tenant-policies/operator-roles.ts';
import type { Deployment } from './deployment.ts';
import { type Operator, DeliveryRoleClient } from '../targets/delivery-client.ts';

/** In whose account the service runs: that of whoever runs the command. */
export async function operatorOf({ clients, stage }: Deployment): Promise<Operator> {
  const { Account: account = '', Arn: arn = '' } = await clients.sts.send(new GetCallerIdentityCommand({}));
  const partition = arn.split(':')[1] ?? 'aws';
  const boundaryArn = `arn:${partition}:iam::${account}:policy/${deliveryBoundaryNameOf(stage)}`;
  return { stage, account, partition, boundaryArn };
}

/** A tenant's delivery role, and what can be done about it. */
export async function deliveryRoleFor(
  deployment: Deployment,
  tenantId: string,
): Promise<{ role: DeliveryRole; roles: DeliveryRoleClient }> {
  const operator = await operatorOf(deployment);
  return {
    role: deliveryRoleOf(operator, tenantId),
    roles: new DeliveryRoleClient(deployment.clients.iam, operator),
  };
}
