import { CommandError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import { clientId, exampleClient } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { clientStoreOf } from './client-store.ts';
import { cognitoClientOf } from './cognito-client.ts';
import { removeStreams } from './remove-streams.ts';

type Options = { client: string; yes?: true };

export const deleteClientCommand = defineCommand<Options>({
  name: 'delete',
  description: 'Deletes a client with its streams of signals. The API rejects its tokens within 5 minutes.',
  ids: [clientId],
  options: [yesOption()],
  examples: [`client delete ${exampleClient} --yes`],
  run: deleteClient,
});

/** First its streams, which are found by the item, and then the item, without which the API rejects the client. A repetition finishes what an earlier run began. */
async function deleteClient(session: Session, { client: id, yes }: Options): Promise<void> {
  const deployment = await session.deployment();
  const clients = clientStoreOf(deployment);
  const pool = deployment.userPoolId === undefined ? undefined : cognitoClientOf(deployment);
  const client = await clients.find(id);
  if (!client && !(await pool?.exists(id)))
    throw new CommandError(
      `There is no client ${id}.`,
      '"omi client list <tenant>" shows the clients of a tenant.',
    );
  const owner = client ? ` of tenant ${client.tenantId}` : '';
  await session.confirm(`Delete the client ${id}${owner}? This cannot be undone.`, yes);
  if (client) await removeStreams(deployment, client);
  if (client) await clients.remove(client);
  await pool?.delete(id);
  session.note("Takes effect within 5 minutes, when the API's cached decisions expire.");
  session.print({ clientId: id, deleted: true }, 'Deleted.');
}
