import { Option } from 'commander';
import { defineCommand } from '../command.ts';
import { pageOf, pageOptions, restOf, type PageOptions } from '../list-page.ts';
import type { Session } from '../session.ts';
import { table } from '../text-table.ts';
import { type TenantState, tenantState } from '../../core/tenants/profile.ts';
import { tenantView } from './describe-tenant.ts';
import { hasLabels, labelFilter, type LabelOptions, labelsText } from './labels.ts';
import { profileStoreOf } from './profile-store.ts';

type Options = LabelOptions & PageOptions & { state?: TenantState[] };

export const listTenantsCommand = defineCommand<Options>({
  name: 'list',
  description: 'Lists tenants by their names.',
  options: [
    new Option('--state <state...>', 'only tenants in these states').choices([
      'active',
      'suspended',
      'deleted',
    ]),
    labelFilter(),
    ...pageOptions(),
  ],
  examples: ['tenant list', 'tenant list --json', 'tenant list --state active --label tier=gold --limit 50'],
  run: listTenants,
});

async function listTenants(session: Session, options: Options): Promise<void> {
  const all = await profileStoreOf(await session.deployment()).list();
  const wanted = all.filter(
    (tenant) => hasLabels(tenant.labels, options) && (options.state?.includes(tenantState(tenant)) ?? true),
  );
  const tenants = pageOf(wanted, options);
  const rows = tenants.map((tenant) => [
    ...[tenant.tenantId, tenant.name, tenantState(tenant), labelsText(tenant.labels)],
  ]);
  const rest = restOf(wanted.length, options);
  session.print(
    tenants.map(tenantView),
    [table(['TENANT', 'NAME', 'STATE', 'LABELS'], rows), ...(rest === undefined ? [] : [rest])].join('\n\n'),
  );
}
