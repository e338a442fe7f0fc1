import type { Deployment } from '../deployment/deployment.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant } from '../tenants/directory-of.ts';
import type { StoredProfile } from '../tenants/profile-store.ts';
import type { TenantClient } from './client-store.ts';
import { clientView, describeClients, describeCredentials, shownOnce } from './describe-client.ts';
import { clientsOf, poolOf } from './pool-of.ts';
import { readScopes } from './scopes.ts';

type Options = { tenant: string; name: string; scope: string[]; client?: string };

/** A client that may ask for tokens, and the item that says whose it is. */
export async function createClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const profile = await requireLiveTenant(deployment, options.tenant);
  if (profile.suspendedAt !== undefined)
    throw new CommandError(
      `The tenant ${profile.tenantId} is suspended.`,
      `Resume it first: omi tenant resume --tenant ${profile.tenantId}`,
    );
  const named = { tenantId: profile.tenantId, name: options.name, scopes: readScopes(options.scope) };
  if (options.client !== undefined) {
    await registerClient(session, deployment, profile, { ...named, clientId: options.client });
    return;
  }
  const pool = poolOf(deployment);
  await refuseTakenName(deployment, named);
  const credentials = await pool.create(`${named.tenantId} ${named.name}`, named.scopes);
  const client = { ...named, clientId: credentials.clientId };
  try {
    await addClient(deployment, profile, client);
  } catch (error) {
    // Without its item nobody knows whose it is: of no use, and not to be left behind.
    await pool.delete(credentials.clientId);
    throw error;
  }
  session.note(shownOnce);
  session.print(
    { ...clientView(client), clientSecret: credentials.clientSecret, tokenUrl: deployment.tokenUrl },
    describeCredentials(credentials, deployment.tokenUrl),
  );
}

async function registerClient(
  session: Session,
  deployment: Deployment,
  profile: StoredProfile,
  client: Required<TenantClient>,
): Promise<void> {
  if (deployment.userPoolId !== undefined)
    throw new UsageError('--client is for tokens of an issuer of your own: here Cognito makes the id.');
  const known = await clientsOf(deployment).find(client.clientId);
  if (known && known.tenantId !== client.tenantId)
    throw new CommandError(`The client ${client.clientId} is another tenant's.`);
  if (known) session.note('It was there already.');
  else await addClient(deployment, profile, client);
  session.print(clientView(known ?? client), describeClients([known ?? client]));
}

/** The secret of the one that is there cannot be shown again, and a second one would be the wrong answer to a repetition. */
async function refuseTakenName(
  deployment: Deployment,
  { tenantId, name }: { tenantId: string; name: string },
): Promise<void> {
  const clients = await clientsOf(deployment).ofTenant(tenantId);
  const taken = clients.find((client) => client.name === name);
  if (!taken) return;
  throw new CommandError(
    `The tenant has a client of this name already: ${taken.clientId}.`,
    'Give it a new secret with "omi client rotate", or choose another name.',
  );
}

async function addClient(
  deployment: Deployment,
  profile: StoredProfile,
  client: Required<TenantClient>,
): Promise<void> {
  if (await clientsOf(deployment).add(client, profile)) return;
  throw new CommandError('Somebody else changed the tenant at the same time.', 'Run the command again.');
}
