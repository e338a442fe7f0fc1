import { defaultSettings } from '../../../core/tenants/tenant.ts';
import { rfc3339 } from '../../../core/kernel/time.ts';
import { CommandError } from '../../command-error.ts';
import { profileStoreOf, requireTenant, type StoredProfile } from '../../tenants/profile-store.ts';
import { deleteTenantItems } from '../removal-client.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';

export const tenantIsThere: StepDefinition = {
  name: 'tenant',
  title: 'A tenant for this run exists',
  limitSeconds: 60,
  hint: 'These AWS credentials must be allowed to write to the tenants table.',
};

export async function makeTenant(scene: Scene, { say }: StepRun): Promise<StoredProfile> {
  const { deployment, undo, tenantId } = scene;
  undo.add({
    what: `tenant ${tenantId} with its targets and replays`,
    fix: `npx omi tenant delete ${tenantId} --yes ${deployment.selector}`,
    remove: async () => await deleteTenantItems(deployment, tenantId),
  });
  const name = `omi smoke ${rfc3339(Date.now())}`;
  if (!(await profileStoreOf(deployment).create({ tenantId, name, settings: defaultSettings })))
    throw new CommandError(`The id ${tenantId} is taken.`);
  say(tenantId);
  return await requireTenant(deployment, tenantId);
}
