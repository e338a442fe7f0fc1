import { defineCommand } from '../command.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { changeState } from './change-state.ts';
import { copyToClients } from './copy-to-clients.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { requireLiveTenant } from './profile-store.ts';

type Options = { tenant: string };

export const suspendTenantCommand = defineCommand<Options>({
  name: 'suspend',
  description:
    "Blocks a tenant: its devices at once, its websites' clients within 5 minutes. Its events are still exported.",
  ids: [tenantId],
  examples: [`tenant suspend ${exampleTenant}`],
  run: async (session, options) => await changeTenant(session, options, 'suspend'),
});

export const resumeTenantCommand = defineCommand<Options>({
  name: 'resume',
  description: 'Ends the suspension of a tenant.',
  ids: [tenantId],
  examples: [`tenant resume ${exampleTenant}`],
  run: async (session, options) => await changeTenant(session, options, 'resume'),
});

async function changeTenant(
  session: Session,
  { tenant }: Options,
  change: 'suspend' | 'resume',
): Promise<void> {
  const deployment = await session.deployment();
  await requireLiveTenant(deployment, tenant);
  if (!(await changeState(deployment, tenant, change)))
    session.note(`The tenant is already ${change === 'suspend' ? 'suspended' : 'active'}.`);
  const profile = await requireLiveTenant(deployment, tenant);
  const clients = await copyToClients(
    session,
    deployment,
    tenant,
    async (store, client) => await store.copySuspension(client, profile.suspendedAt),
  );
  session.print({ ...tenantView(profile), clients }, describeTenant(profile));
}
