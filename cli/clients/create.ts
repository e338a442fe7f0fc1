import * as v from 'valibot';
import { CommandError, UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientIdExpectation, clientIdText, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption } from '../options.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant, type StoredProfile } from '../tenants/profile-store.ts';
import { clientStoreOf, type NamedClient } from './client-store.ts';
import { cognitoClientOf } from './cognito-client.ts';
import { clientView, describeClients, printCredentials } from './describe-client.ts';
import { type NumberMatchingChoice, numberMatchingOption, readNumberMatching } from './number-matching.ts';
import { addClient, makeClient } from './make-client.ts';
import { readScopes, scopeOption } from './scopes.ts';

/** What Cognito allows in the name of a client, without line ends, and short enough for a tenant's id before it. */
const clientName = v.pipe(v.string(), v.regex(/^[\w +=,.@-]{1,80}$/));

type Options = {
  tenant: string;
  name: string;
  scope: string[];
  client?: string;
  numberMatching?: NumberMatchingChoice;
};

export const createClientCommand = defineCommand<Options>({
  name: 'create',
  description: 'Creates a client for a tenant, and shows its secret once.',
  ids: [tenantId],
  options: [
    checkedOption('--name <name>', 'a name for people', clientName, {
      expected: '1 to 80 characters of A-Z a-z 0-9 _ + = , . @ - and spaces',
      example: 'website',
    }).makeOptionMandatory(),
    scopeOption().makeOptionMandatory(),
    numberMatchingOption(),
    checkedOption(
      '--client <id>',
      'with an issuer of your own: the client id in its tokens',
      clientIdText,
      clientIdExpectation,
    ),
  ],
  examples: [
    `client create ${exampleTenant} --name website --scope credential:omi:devices:get credential:omi:push-notification:device:post credential:omi:push-notification:status:get`,
    `client create ${exampleTenant} --name backend --scope omi:events:post`,
    `client create ${exampleTenant} --name limits --scope all --number-matching pick`,
    `client create ${exampleTenant} --name help-desk --scope credential:omi:enrol:qr:post credential:omi:devices:delete credential:omi:recovery`,
  ],
  run: createClient,
});

async function createClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const profile = await requireActiveTenant(deployment, options.tenant);
  const named = namedClient(profile, options);
  if (options.client !== undefined) {
    await registerClient(session, deployment, profile, { ...named, clientId: options.client });
    return;
  }
  cognitoClientOf(deployment);
  await refuseTakenName(deployment, named);
  const credentials = await makeClient(deployment, profile, named);
  const client = { ...named, clientId: credentials.clientId };
  printCredentials(session, client, { ...credentials, tokenUrl: deployment.tokenUrl });
}

function namedClient({ tenantId: tenant }: StoredProfile, options: Options): Omit<NamedClient, 'clientId'> {
  const numberMatching = readNumberMatching(options.numberMatching);
  return {
    tenantId: tenant,
    name: options.name,
    scopes: readScopes(options.scope),
    ...(numberMatching && { numberMatching }),
  };
}

async function requireActiveTenant(deployment: Deployment, tenant: string): Promise<StoredProfile> {
  const profile = await requireLiveTenant(deployment, tenant);
  if (profile.suspendedAt === undefined) return profile;
  throw new CommandError(
    `The tenant ${profile.tenantId} is suspended.`,
    `Resume it first: omi tenant resume ${profile.tenantId}`,
  );
}

async function registerClient(
  session: Session,
  deployment: Deployment,
  profile: StoredProfile,
  client: NamedClient,
): Promise<void> {
  if (deployment.userPoolId !== undefined)
    throw new UsageError(
      '--client is only for tokens of an issuer of your own. In this deployment Cognito makes the id.',
    );
  const known = await clientStoreOf(deployment).find(client.clientId);
  if (known && known.tenantId !== client.tenantId)
    throw new CommandError(`The client ${client.clientId} belongs to another tenant.`);
  if (known) session.note('The client existed already, and stays as it is. "omi client set" changes it.');
  else await addClient(deployment, profile, client);
  session.print(clientView(known ?? client), describeClients([known ?? client]));
}

/** The command cannot show the secret of an existing client again, and a second secret would be a surprise. */
async function refuseTakenName(
  deployment: Deployment,
  { tenantId: tenant, name }: { tenantId: string; name: string },
): Promise<void> {
  const clients = await clientStoreOf(deployment).ofTenant(tenant);
  const taken = clients.find((client) => client.name === name);
  if (!taken) return;
  throw new CommandError(
    `The tenant already has a client with this name: ${taken.clientId}.`,
    `Give it a new secret with "omi client rotate ${taken.clientId}", or choose another name.`,
  );
}
