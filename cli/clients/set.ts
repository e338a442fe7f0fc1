import { UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { clientStoreOf, requireClient, type TenantClient } from './client-store.ts';
import { cognitoClientOf } from './cognito-client.ts';
import { clientView, describeClients } from './describe-client.ts';
import { type NumberMatchingChoice, numberMatchingOption, readNumberMatching } from './number-matching.ts';
import { readScopes, scopeOption } from './scopes.ts';

type Options = { client: string; scope?: string[]; numberMatching?: NumberMatchingChoice };

export const setClientCommand = defineCommand<Options>({
  name: 'set',
  description: 'Replaces the scopes of a client, or changes its number matching. Its secret stays the same.',
  ids: [clientId],
  options: [scopeOption(), numberMatchingOption()],
  examples: [
    `client set ${exampleClient} --scope all`,
    `client set ${exampleClient} --number-matching type`,
    `client set ${exampleClient} --number-matching tenant`,
  ],
  run: setClient,
});

/** Idempotent. */
async function setClient(session: Session, options: Options): Promise<void> {
  if (options.scope === undefined && options.numberMatching === undefined)
    throw new UsageError('Nothing to change: pass --scope or --number-matching.');
  const deployment = await session.deployment();
  let client = await requireClient(deployment, options.client);
  if (options.scope) client = await setScopes(session, deployment, client, readScopes(options.scope));
  if (options.numberMatching)
    client = await setNumberMatching(session, deployment, client, options.numberMatching);
  session.print(clientView(client), describeClients([client]));
}

/** First the user pool, which decides the scopes of tokens, then the item, which shows them. */
async function setScopes(
  session: Session,
  deployment: Deployment,
  before: TenantClient,
  scopes: string[],
): Promise<TenantClient> {
  const client = { ...before, scopes };
  if (deployment.userPoolId === undefined) {
    session.note('Your own issuer decides the scopes of tokens: change the client there, too.');
  } else {
    await cognitoClientOf(deployment).setScopes(client.clientId, scopes);
    session.note('New tokens have these scopes. Existing tokens keep theirs until they expire.');
  }
  await clientStoreOf(deployment).setScopes(client);
  return client;
}

async function setNumberMatching(
  session: Session,
  deployment: Deployment,
  before: TenantClient,
  chosen: NumberMatchingChoice,
): Promise<TenantClient> {
  const client = { ...before, numberMatching: readNumberMatching(chosen) };
  await clientStoreOf(deployment).setNumberMatching(client);
  session.note("Takes effect within 5 minutes, when the API's cached decisions expire.");
  return client;
}
