import { exporterRoleArnsOf } from '../../../core/export/kinds/policies/operator-roles.ts';
import { UsageError } from '../../command-error.ts';
import { operatorOf } from '../../deployment/account-client.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { newExternalId } from '../external-id-store.ts';
import type { PolicyOptions } from './options.ts';

/** What is agreed about the tenant's role. */
export async function roleInput(
  deployment: Deployment,
  options: PolicyOptions,
  known: { roleArn: string; externalId: string } | undefined,
) {
  const externalId = options.newExternalId ? newExternalId() : (options.externalId ?? known?.externalId);
  if (externalId === undefined)
    throw new UsageError("Missing: --external-id, the tenant's random string. --new-external-id makes one.");
  const role = options.roleName ?? known?.roleArn.split('/').at(-1);
  return {
    externalId,
    operatorRoleArns: exporterRoleArnsOf(await operatorOf(deployment)),
    ...(role !== undefined && { roleName: role }),
  };
}
