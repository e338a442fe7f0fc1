import { topGroup } from '../command.ts';
import { testContactCommand } from './contact-test.ts';
import { createTenantCommand } from './create.ts';
import { deleteTenantCommand } from './delete.ts';
import { listTenantsCommand } from './list.ts';
import { setTenantCommand } from './set.ts';
import { showTenantCommand } from './show.ts';
import { resumeTenantCommand, suspendTenantCommand } from './suspend.ts';

export const tenantCommands = topGroup(
  {
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
    testContactCommand,
  ],
);
