import { action, examples, type Register } from '../command.ts';
import { tenantOption, userOption } from '../options.ts';
import { eraseUser } from './erase.ts';

const user = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01 --user alice';

export const registerUser: Register = (above, terminal) => {
  const group = above
    .command('user')
    .description("Users of the tenants' websites.")
    .addHelpText('after', examples(`user erase ${user} --yes`));

  group
    .command('erase')
    .description(
      'Erases a user: devices (with their events), open enrolments, confirmations and push history, and records a UserErasedEvent. ' +
        'Confirmations and enrolments have no index by user, so those of the last day are all looked through. ' +
        "Events that tell of the user stay until their 14 days are over; what was exported is the tenant's.",
    )
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(userOption().makeOptionMandatory())
    .option('--yes', 'without a question')
    .addHelpText('after', examples(`user erase ${user} --yes`))
    .action(action(terminal, eraseUser));
};
