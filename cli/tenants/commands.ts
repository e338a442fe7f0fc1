import { action, checkedOption, examples, type Register } from '../command.ts';
import { tenantOption, uuidOption } from '../options.ts';
import { createTenant } from './create.ts';
import { deleteTenant } from './delete.ts';
import { listTenants } from './list.ts';
import { nameText } from './name.ts';
import { setTenant } from './set.ts';
import { addSettings } from './options.ts';
import { showTenant } from './show.ts';
import { resumeTenant, suspendTenant } from './suspend.ts';

const nameOption = (description: string) => checkedOption('--name <name>', description, nameText);

export const registerTenant: Register = (above, terminal) => {
  const tenant = above
    .command('tenant')
    .description('Tenants: the customers whose websites use the service.')
    .addHelpText('after', examples('tenant create --name "Example Bank"', 'tenant list --json'));

  addSettings(
    tenant
      .command('create')
      .description('Makes a tenant, with the settings that are named and the defaults of the others.')
      .addOption(nameOption('what people call it').makeOptionMandatory())
      .addOption(uuidOption('--id <id>', 'its id (default: a new one); makes the command safe to repeat')),
  )
    .addHelpText(
      'after',
      examples(
        'tenant create --name "Example Bank"',
        'tenant create --name "Example Bank" --number-matching pick --max-devices 3',
      ),
    )
    .action(action(terminal, createTenant));

  tenant
    .command('list')
    .description('Lists all tenants.')
    .addHelpText('after', examples('tenant list', 'tenant list --json'))
    .action(action(terminal, listTenants));

  tenant
    .command('show')
    .description('Shows a tenant: its settings, its clients and its targets.')
    .addOption(tenantOption().makeOptionMandatory())
    .addHelpText('after', examples('tenant show --tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01'))
    .action(action(terminal, showTenant));

  const example = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';

  tenant
    .command('suspend')
    .description(
      "Blocks a tenant: its devices at once, its websites' clients within 5 minutes. Its events are still exported.",
    )
    .addOption(tenantOption().makeOptionMandatory())
    .addHelpText('after', examples(`tenant suspend ${example}`))
    .action(action(terminal, suspendTenant));

  tenant
    .command('resume')
    .description('Ends the suspension of a tenant.')
    .addOption(tenantOption().makeOptionMandatory())
    .addHelpText('after', examples(`tenant resume ${example}`))
    .action(action(terminal, resumeTenant));

  tenant
    .command('delete')
    .description(
      'Deletes a tenant for good: its clients, its devices (with their events) and its targets with their delivery streams. ' +
        'Confirmations, enrolments and events expire, as docs/operations.md says. If it is interrupted, run it again.',
    )
    .addOption(tenantOption().makeOptionMandatory())
    .option('--yes', 'without a question')
    .option('--no-wait', 'do not wait until the delivery streams are gone')
    .addHelpText('after', examples(`tenant delete ${example} --yes`))
    .action(action(terminal, deleteTenant));

  addSettings(
    tenant
      .command('set')
      .description(
        'Changes settings in the profile, then in each client, which the authorizer reads: up to 5 minutes until they count. ' +
          'If it breaks off, run it again. Without any setting it gives every client those of the profile.',
      )
      .addOption(tenantOption().makeOptionMandatory())
      .addOption(nameOption('another name')),
  )
    // Behind its opposite: alone it would be on where nobody says anything.
    .option('--no-generic-text', 'lock screens show the message')
    .addHelpText(
      'after',
      examples(
        'tenant set --tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --max-devices 3',
        'tenant set --tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --generic-text "Please open the app"',
      ),
    )
    .action(action(terminal, setTenant));
};
