import { nonce, sha256Text } from '../../core/kernel/identifiers.ts';
import { action, checkedOption, examples, type Register } from '../command.ts';
import { tenantOption } from '../options.ts';
import { showNotification } from './show.ts';

const tenant = '--tenant 6f0d3c1e-5a54-4c0e-9d0a-3b6f6c1f7a01';

export const registerNotification: Register = (above, terminal) => {
  const notification = above
    .command('notification')
    .description('Push notifications: what became of one. Messages and nonces are never shown.')
    .addHelpText('after', examples(`notification show ${tenant} --nonce 8f2c1e0b7d6a4f93`));

  notification
    .command('show')
    .description(
      "Shows a notification's state, times and delivery, and verifies the device's signed answer without asking the service.",
    )
    .addOption(tenantOption().makeOptionMandatory())
    .addOption(checkedOption('--nonce <nonce>', 'as the website sent it', nonce).conflicts('challenge'))
    .addOption(
      checkedOption(
        '--challenge <id>',
        'or its challenge id',
        sha256Text,
        'expected a challenge id, 43 characters of A-Z a-z 0-9 _ -',
      ),
    )
    .addHelpText(
      'after',
      examples(
        `notification show ${tenant} --nonce 8f2c1e0b7d6a4f93`,
        `notification show ${tenant} --challenge cVsp-7EJ_DDspwbFbDDj2d8T2fX3R-2AwRv_tx1zaI4 --json`,
      ),
    )
    .action(action(terminal, showNotification));
};
