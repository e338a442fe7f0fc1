import {
  deliveryRoleArnOf,
  exporterRoleArnsOf,
  type Operator,
} from '../../core/export/kinds/policies/operator-roles.ts';
import { clientStoreOf } from '../clients/client-store.ts';
import { clientView, describeClients } from '../clients/describe-client.ts';
import { defineCommand } from '../command.ts';
import { operatorOf } from '../deployment/account-client.ts';
import { exampleTenant, tenantId } from '../ids.ts';
import type { Session } from '../session.ts';
import { describeTargets, targetView } from '../targets/describe-target.ts';
import { catalogueStoreOf, requireWellFormed } from '../targets/catalogue-store.ts';
import { fields } from '../text-table.ts';
import { contactFault, contactStoreOf, contactView } from './contact.ts';
import { describeTenant, tenantView } from './describe-tenant.ts';
import { requireTenant } from './profile-store.ts';

export const showTenantCommand = defineCommand<{ tenant: string }>({
  name: 'show',
  description: 'Shows a tenant: its settings, clients and targets, and the parameters of its templates.',
  ids: [tenantId],
  examples: [`tenant show ${exampleTenant}`],
  run: showTenant,
});

async function showTenant(session: Session, { tenant }: { tenant: string }): Promise<void> {
  const deployment = await session.deployment();
  const profile = await requireTenant(deployment, tenant);
  const clients = await clientStoreOf(deployment).ofTenant(tenant);
  const catalogue = await catalogueStoreOf(deployment).ofTenant(tenant);
  const { targets } = catalogue;
  const parameters = templateParameters(await operatorOf(deployment), tenant);
  const contact = await contactStoreOf(deployment).find(tenant);
  const fault = contact && (await contactFault(deployment, tenant));
  const [now, known] = [Date.now(), { tenantName: profile.name }];
  session.print(
    {
      ...tenantView(profile),
      ...(contact && { contact: contactView(contact) }),
      ...(fault !== undefined && { contactFault: fault }),
      clients: clients.map(clientView),
      targets: targets.map((target) => targetView(target, now, known)),
      templateParameters: parameters,
    },
    [
      describeTenant(profile, { contact, fault }),
      describeClients(clients),
      describeTargets(targets, now, () => known),
      describeParameters(parameters),
    ].join('\n\n'),
  );
  requireWellFormed(catalogue);
}

/**
 * The parameters of the tenant's templates (`docs/templates/`). The names of the operator's roles are known before the
 * roles exist, so the tenant can deploy first.
 */
const templateParameters = (operator: Operator, tenant: string) => ({
  OperatorAccountId: operator.account,
  OperatorRoleArns: exporterRoleArnsOf(operator),
  DeliveryRoleArn: deliveryRoleArnOf(operator, tenant),
});

const describeParameters = ({ OperatorRoleArns, ...others }: ReturnType<typeof templateParameters>): string =>
  `Parameters of the tenant's templates:\n${fields({ ...others, OperatorRoleArns: OperatorRoleArns.join(',') })}`;
