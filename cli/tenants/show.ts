import { clientView, describeClients } from '../clients/describe-client.ts';
import { clientsOf } from '../clients/pool-of.ts';
import type { Session } from '../session.ts';
import { describeTargets, targetView } from '../targets/describe-target.ts';
import { operatorOf } from '../deployment/account-client.ts';
import { catalogueOf, requireWellFormed } from '../targets/targets-store.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { requireTenant } from './directory-of.ts';
import { describeParameters, templateParameters } from './template-parameters.ts';

export async function showTenant(session: Session, { tenant }: { tenant: string }): Promise<void> {
  const deployment = await session.deployment();
  const profile = await requireTenant(deployment, tenant);
  const clients = await clientsOf(deployment).ofTenant(tenant);
  const catalogue = await catalogueOf(deployment).ofTenant(tenant);
  const { targets } = catalogue;
  const parameters = templateParameters(await operatorOf(deployment), tenant);
  session.print(
    {
      ...tenantView(profile),
      clients: clients.map(clientView),
      targets: targets.map((target) => targetView(target, Date.now())),
      templateParameters: parameters,
    },
    [
      describeTenant(profile),
      describeClients(clients),
      describeTargets(targets, Date.now()),
      describeParameters(parameters),
    ].join('\n\n'),
  );
  requireWellFormed(catalogue);
}
