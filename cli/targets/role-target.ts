/** A target that the service reaches with a role of the tenant. */
import type { Destination } from '../../core/export/kinds/records.ts';
import { yesOption } from '../options.ts';
import { requireKnownTypes } from '../event-types.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/profile-store.ts';
import {
  externalIdOption,
  type ExternalIdOptions,
  newExternalIdOption,
  requireExternalId,
  roleArnOption,
} from './external-ids.ts';
import { registerTarget } from './register-target.ts';
import { refOf, type TargetOptions } from './target-record.ts';

export type RoleTargetOptions = TargetOptions &
  ExternalIdOptions & { roleArn: string; type?: string[]; yes?: true };

/** @param task what the role may do, such as "write to the stream" */
export const roleOptions = (task: string) => [
  roleArnOption(`the role in the tenant's account that may ${task}`).makeOptionMandatory(),
  externalIdOption("the tenant's random string (default: the target's current one)"),
  newExternalIdOption(),
  yesOption(),
];

export async function registerRoleTarget(
  session: Session,
  options: RoleTargetOptions,
  destinationWith: (externalId: string) => Destination,
): Promise<void> {
  requireKnownTypes(options);
  const deployment = await session.deployment();
  await requireLiveTenant(deployment, options.tenant);
  const ref = refOf(options);
  const externalId = await requireExternalId(deployment, ref, options);
  await registerTarget(session, deployment, ref, {
    destination: destinationWith(externalId),
    types: options.type,
    yes: options.yes,
  });
}
