import type { Session } from '../session.ts';
import { clientView, describeClients } from './describe-client.ts';
import { clientsOf, poolOf, requireClient } from './pool-of.ts';
import { readScopes } from './scopes.ts';

type Options = { client: string; scope: string[] };

/** First the user pool, which decides the scopes of tokens, then the item, which shows them. Idempotent. */
export async function setClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const client = { ...(await requireClient(deployment, options.client)), scopes: readScopes(options.scope) };
  if (deployment.userPoolId === undefined) {
    session.note('Your own issuer decides the scopes of tokens: change the client there, too.');
  } else {
    await poolOf(deployment).setScopes(client.clientId, client.scopes);
    session.note('New tokens have these scopes. Existing tokens keep theirs until they expire.');
  }
  await clientsOf(deployment).setScopes(client);
  session.print(clientView(client), describeClients([client]));
}
