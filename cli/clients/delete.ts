import { defineCommand } from '../command.ts';
import { clientId, exampleClient } from '../ids.ts';
import { yesOption } from '../options.ts';
import type { Session } from '../session.ts';
import { clientStoreOf } from './client-store.ts';
import { cognitoClientOf } from './cognito-client.ts';

type Options = { client: string; yes?: true };

export const deleteClientCommand = defineCommand<Options>({
  name: 'delete',
  description: 'Deletes a client. The API rejects its tokens within 5 minutes.',
  ids: [clientId],
  options: [yesOption()],
  examples: [`client delete ${exampleClient} --yes`],
  run: deleteClient,
});

/** First the item, without which the API rejects the client, then the client. A missing client is no error. */
async function deleteClient(session: Session, { client: id, yes }: Options): Promise<void> {
  const deployment = await session.deployment();
  const clients = clientStoreOf(deployment);
  const client = await clients.find(id);
  const owner = client ? ` of tenant ${client.tenantId}` : '';
  await session.confirm(`Delete the client ${id}${owner}? This cannot be undone.`, yes);
  if (client) await clients.remove(client);
  if (deployment.userPoolId !== undefined) await cognitoClientOf(deployment).delete(id);
  session.note("Takes effect within 5 minutes, when the API's cached decisions expire.");
  session.print(
    { clientId: id, deleted: client !== undefined },
    client ? 'Deleted.' : 'The client was already deleted.',
  );
}
