import { defineCommand } from '../command.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { clientStoreOf, requireClient } from './client-store.ts';
import { cognitoClientOf } from './cognito-client.ts';
import { clientView, describeClients } from './describe-client.ts';
import { readScopes, scopeOption } from './scopes.ts';

type Options = { client: string; scope: string[] };

export const setClientCommand = defineCommand<Options>({
  name: 'set',
  description: 'Replaces the scopes of a client. Its secret stays the same.',
  ids: [clientId],
  options: [scopeOption()],
  examples: [`client set ${exampleClient} --scope all`],
  run: setClient,
});

/** First the user pool, which decides the scopes of tokens, then the item, which shows them. Idempotent. */
async function setClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const client = { ...(await requireClient(deployment, options.client)), scopes: readScopes(options.scope) };
  if (deployment.userPoolId === undefined) {
    session.note('Your own issuer decides the scopes of tokens: change the client there, too.');
  } else {
    await cognitoClientOf(deployment).setScopes(client.clientId, client.scopes);
    session.note('New tokens have these scopes. Existing tokens keep theirs until they expire.');
  }
  await clientStoreOf(deployment).setScopes(client);
  session.print(clientView(client), describeClients([client]));
}
