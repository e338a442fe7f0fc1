import { Option } from 'commander';
import * as v from 'valibot';
import { action, checkedOption, examples, listOption, type Register } from '../command.ts';
import { clientIdOption, tenantOption } from '../options.ts';
import { createClient } from './create.ts';
import { deleteClient } from './delete.ts';
import { listClients } from './list.ts';
import { clientName } from './name.ts';
import { rotateClient } from './rotate.ts';
import { scopeChoices } from './scopes.ts';
import { setClient } from './set.ts';

const clientOption = () => clientIdOption('the client').makeOptionMandatory();

const scopeOption = () =>
  listOption(
    '--scope <scope...>',
    `what it may do: ${scopeChoices.join(', ')}`,
    v.picklist(scopeChoices),
    `expected one of ${scopeChoices.join(', ')}`,
  );

const example = '--client 4ng8q1d5p6v2example';
const tenant = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';

export const registerClient: Register = (above, terminal) => {
  const client = above
    .command('client')
    .description("Clients: what a tenant's websites get their access tokens with.")
    .addHelpText('after', examples(`client list ${tenant}`, `client rotate ${example}`));

  client
    .command('create')
    .description('Makes a client of the user pool for a tenant, and shows its secret once.')
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(checkedOption('--name <name>', 'what people call it', clientName).makeOptionMandatory())
    .addOption(scopeOption().makeOptionMandatory())
    .addOption(clientIdOption('with an issuer of your own: the id that its tokens carry'))
    .addHelpText(
      'after',
      examples(
        `client create ${tenant} --name website --scope credential:omi:devices:get credential:omi:push-notification:device:post credential:omi:push-notification:status:get`,
        `client create ${tenant} --name backend --scope omi:events:post`,
        `client create ${tenant} --name help-desk --scope credential:omi:enrol:qr:post credential:omi:devices:delete credential:omi:recovery`,
      ),
    )
    .action(action(terminal, createClient));

  client
    .command('set')
    .description('Replaces the scopes of a client. Its secret stays the same.')
    .addOption(clientOption())
    .addOption(scopeOption().makeOptionMandatory())
    .addHelpText('after', examples(`client set ${example} --scope all`))
    .action(action(terminal, setClient));

  client
    .command('rotate')
    .description('Gives a client a second secret, shown once; with --finish deletes the old one.')
    .addOption(clientOption())
    .addOption(
      new Option('--finish', 'the website uses the new secret: delete the old one').conflicts('cancel'),
    )
    .option('--cancel', 'the new secret was lost, or is not wanted: delete it, and keep the old one')
    .addHelpText(
      'after',
      examples(
        `client rotate ${example}`,
        `client rotate ${example} --finish`,
        `client rotate ${example} --cancel`,
      ),
    )
    .action(action(terminal, rotateClient));

  client
    .command('delete')
    .description('Shuts a client out, within 5 minutes.')
    .addOption(clientOption())
    .option('--yes', 'without a question')
    .addHelpText('after', examples(`client delete ${example} --yes`))
    .action(action(terminal, deleteClient));

  client
    .command('list')
    .description('Lists the clients of a tenant.')
    .addOption(tenantOption().makeOptionMandatory())
    .addHelpText('after', examples(`client list ${tenant}`))
    .action(action(terminal, listClients));
};
