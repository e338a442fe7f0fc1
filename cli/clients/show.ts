import { defineCommand } from '../command.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireTenant } from '../tenants/profile-store.ts';
import { fields } from '../text-table.ts';
import { requireClient } from './client-store.ts';
import { clientView } from './describe-client.ts';

export const showClientCommand = defineCommand<{ client: string }>({
  name: 'show',
  description: 'Shows a client: its tenant, its scopes, and the number matching of its confirmations.',
  ids: [clientId],
  examples: [`client show ${exampleClient}`],
  run: showClient,
});

async function showClient(session: Session, { client: id }: { client: string }): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, id);
  const tenant = await requireTenant(deployment, client.tenantId);
  const settings = { numberMatching: client.numberMatching ?? tenant.settings.numberMatching };
  const source = client.numberMatching ? "the client's own" : "the tenant's";
  session.print(
    { ...clientView(client), tenantName: tenant.name, settings },
    fields({
      client: client.clientId,
      name: client.name,
      tenant: `${client.tenantId} ${tenant.name}`,
      'number matching': `${settings.numberMatching} (${source} setting)`,
      scopes: client.scopes?.join(' '),
    }),
  );
}
