import { Option } from 'commander';
import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { requireClient, type TenantClient } from './client-store.ts';
import { type CognitoClient, cognitoClientOf, type SecretRef } from './cognito-client.ts';
import { clientView, printCredentials } from './describe-client.ts';

type Options = { client: string; finish?: true; cancel?: true };

export const rotateClientCommand = defineCommand<Options>({
  name: 'rotate',
  description: 'Gives a client a second secret, shown once. With --finish it deletes the old secret.',
  ids: [clientId],
  options: [
    new Option('--finish', 'delete the old secret: the website uses the new one').conflicts('cancel'),
    new Option('--cancel', 'delete the new secret, which was lost or is not wanted, and keep the old one'),
  ],
  examples: [
    `client rotate ${exampleClient}`,
    `client rotate ${exampleClient} --finish`,
    `client rotate ${exampleClient} --cancel`,
  ],
  run: rotateClient,
});

type Rotation = {
  client: TenantClient;
  pool: CognitoClient;
  /** Oldest first. */
  secrets: SecretRef[];
  deployment: Deployment;
};

/**
 * Two steps, so that no call of the website fails in between: a second secret beside the first, and later the end of the
 * first. `--cancel` ends the second instead, for example if the answer with the secret was lost.
 */
async function rotateClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const client = await requireClient(deployment, options.client);
  const pool = cognitoClientOf(deployment);
  const secrets = await pool.secrets(client.clientId);
  const rotation = { client, pool, secrets, deployment };
  if (options.finish) await deleteOld(session, rotation);
  else if (options.cancel) await deleteNew(session, rotation);
  else await addSecond(session, rotation);
}

async function addSecond(session: Session, { client, pool, secrets, deployment }: Rotation): Promise<void> {
  const rotate = `omi client rotate ${client.clientId} ${deployment.selector}`;
  if (secrets.length > 1)
    throw new CommandError(
      `The client ${client.clientId} already has two secrets. Cognito allows no more.`,
      `If the website uses the new secret: ${rotate} --finish\nIf the new secret was lost: ${rotate} --cancel`,
    );
  const clientSecret = await pool.addSecret(client.clientId);
  session.note(`The old secret still works. To delete it: ${rotate} --finish`);
  printCredentials(session, client, { clientSecret, tokenUrl: deployment.tokenUrl });
}

const deleteOld = async (session: Session, rotation: Rotation): Promise<void> =>
  await deleteSecrets(session, rotation, rotation.secrets.slice(0, -1), 'The old secret is deleted.');

const deleteNew = async (session: Session, rotation: Rotation): Promise<void> =>
  await deleteSecrets(
    session,
    rotation,
    rotation.secrets.slice(1),
    'The new secret is deleted. The old one still works.',
  );

async function deleteSecrets(
  session: Session,
  { client, pool }: Rotation,
  deleted: readonly SecretRef[],
  result: string,
): Promise<void> {
  for (const secret of deleted) await pool.deleteSecret(client.clientId, secret);
  session.print(
    { ...clientView(client), deletedSecrets: deleted.length },
    deleted.length === 0 ? 'The client has only one secret.' : result,
  );
}
