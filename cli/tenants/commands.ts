import { defineGroup } from '../command.ts';
import { createTenantCommand } from './create.ts';
import { deleteTenantCommand } from './delete.ts';
import { listTenantsCommand } from './list.ts';
import { setTenantCommand } from './set.ts';
import { showTenantCommand } from './show.ts';
import { resumeTenantCommand, suspendTenantCommand } from './suspend.ts';

export const tenantCommands = defineGroup(
  {
    name: 'tenant',
    description: 'Tenants: the customers whose websites use the service.',
    examples: ['tenant create --name "Example Bank"', 'tenant list --json'],
  },
  [
    createTenantCommand,
    listTenantsCommand,
    showTenantCommand,
    suspendTenantCommand,
    resumeTenantCommand,
    deleteTenantCommand,
    setTenantCommand,
  ],
);
