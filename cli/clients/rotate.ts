import { Option } from 'commander';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireClient } from './client-store.ts';
import { rotateCallbackSecret } from './rotate-callback-secret.ts';
import { rotateClientSecret } from './rotate-client-secret.ts';

type Options = { client: string; callback?: true; finish?: true; cancel?: true };

export const rotateClientCommand = defineCommand<Options>({
  name: 'rotate',
  description: 'Gives a client a second secret, shown once. With --finish it deletes the old secret.',
  ids: [clientId],
  options: [
    new Option('--callback', 'the secret that signs its callbacks, in place of its own secret'),
    new Option('--finish', 'delete the old secret: the website uses the new one').conflicts('cancel'),
    new Option('--cancel', 'delete the new secret, which was lost or is not needed, and keep the old one'),
  ],
  examples: [
    `client rotate ${exampleClient}`,
    `client rotate ${exampleClient} --finish`,
    `client rotate ${exampleClient} --cancel`,
    `client rotate ${exampleClient} --callback`,
    `client rotate ${exampleClient} --callback --finish`,
    `client rotate ${exampleClient} --callback --cancel`,
  ],
  run: rotateClient,
});

/**
 * Two steps, so that no call fails in between: a second secret beside the first, and later the end of the first. `--cancel`
 * ends the second instead, for example if the answer with the secret was lost.
 */
async function rotateClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, options.client);
  const { finish, cancel } = options;
  const step = finish ? 'finish' : cancel ? 'cancel' : 'begin';
  if (options.callback) {
    await rotateCallbackSecret(session, deployment, client, step);
    return;
  }
  if (client.oauth?.keys)
    throw new CommandError(
      `The client ${client.clientId} has keys and no secret.`,
      `Replace its keys: omi client set ${client.clientId} --jwks <file> ${deployment.selector}\nWith the old and the new key in the file, both are valid.`,
    );
  await rotateClientSecret(session, deployment, client, step);
}
