import { action, examples, type Register } from '../command.ts';
import { deviceOption, tenantOption, userOption } from '../options.ts';
import { listDevices } from './list.ts';
import { removeOne } from './remove.ts';

const user = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --user alice';

export const registerDevice: Register = (above, terminal) => {
  const device = above
    .command('device')
    .description("Devices: what a tenant's users confirm with.")
    .addHelpText('after', examples(`device list ${user}`));

  device
    .command('list')
    .description('Lists the devices of a user, the newest first.')
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(userOption().makeOptionMandatory())
    .addHelpText('after', examples(`device list ${user} --json`))
    .action(action(terminal, listDevices));

  device
    .command('remove')
    .description('Removes a device, with its event; a confirmation that is open on it is cancelled.')
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(userOption().makeOptionMandatory())
    .addOption(deviceOption().makeOptionMandatory())
    .option('--yes', 'without a question')
    .addHelpText(
      'after',
      examples(`device remove ${user} --device 01a1fe1b-614a-76d7-be2c-40cf9bcf9a57 --yes`),
    )
    .action(action(terminal, removeOne));
};
