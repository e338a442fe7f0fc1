import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { CommandError, UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientIdExpectation, clientIdText, exampleTenant, tenantId } from '../ids.ts';
import { checkedOption } from '../options.ts';
import type { Session } from '../session.ts';
import { requireLiveTenant, type StoredProfile } from '../tenants/profile-store.ts';
import { clientStoreOf } from './client-store.ts';
import { cognitoClientOf } from './cognito-client.ts';
import { clientView, describeClients, printSecrets } from './describe-client.ts';
import { addClient, makeClient, type NewClient } from './make-client.ts';
import { type NumberMatchingChoice, numberMatchingOption, readNumberMatching } from './number-matching.ts';
import {
  readRegistration,
  type Registered,
  type RegistrationOptions,
  registrationOptions,
  requireKeysOf,
} from './registration.ts';
import { readScopes, scopeOption } from './scopes.ts';

/** What Cognito allows in the name of a client, without line ends, and short enough for a tenant's id before it. */
const clientName = v.pipe(v.string(), v.regex(/^[\w +=,.@-]{1,80}$/));

type Options = RegistrationOptions & {
  tenant: string;
  name: string;
  scope: string[];
  client?: string;
  numberMatching?: NumberMatchingChoice;
};

export const createClientCommand = defineCommand<Options>({
  name: 'create',
  description: 'Creates a client for a tenant, and shows its secrets once.',
  ids: [tenantId],
  options: [
    checkedOption('--name <name>', 'a name for people', clientName, {
      expected: '1 to 80 characters of A-Z a-z 0-9 _ + = , . @ - and spaces',
      example: 'website',
    }).makeOptionMandatory(),
    scopeOption().makeOptionMandatory(),
    numberMatchingOption(),
    ...registrationOptions(),
    checkedOption(
      '--client <id>',
      'for your own issuer: the client id in its tokens',
      clientIdText,
      clientIdExpectation,
    ),
  ],
  examples: [
    `client create ${exampleTenant} --name website --scope credential:omi:devices:get credential:omi:push-notification:device:post credential:omi:push-notification:status:get`,
    `client create ${exampleTenant} --name shop --scope all --callback-url https://shop.example.com/omi/callback`,
    `client create ${exampleTenant} --name agent --scope credential:omi:push-notification:post --jwks agent-keys.json --resource https://api.example.com`,
    `client create ${exampleTenant} --name payments --scope credential:omi:push-notification:post --jwks payments-keys.json --profile fapi`,
    `client create ${exampleTenant} --name portal --scope credential:omi:push-notification:post --notification-url https://portal.example.com/ciba`,
    `client create ${exampleTenant} --name backend --scope omi:events:post`,
    `client create ${exampleTenant} --name limits --scope all --number-matching pick`,
    `client create ${exampleTenant} --name phone-shop --scope all --return-origin https://shop.example.com`,
    `client create ${exampleTenant} --name help-desk --scope credential:omi:enrol:qr:post credential:omi:devices:delete credential:omi:recovery`,
  ],
  run: createClient,
});

async function createClient(session: Session, options: Options): Promise<void> {
  const deployment = await session.deployment();
  const registered = await readRegistration(deployment, options);
  requireKeysOf(registered.profile, registered.keys);
  const profile = await requireActiveTenant(deployment, options.tenant);
  const chosen = chosenClient(profile, options, registered);
  if (options.client !== undefined) {
    await registerClient(session, deployment, profile, { ...chosen, clientId: options.client });
    return;
  }
  if (!chosen.keys) cognitoClientOf(deployment);
  await refuseTakenName(deployment, chosen);
  const made = chosen.keys
    ? await addClient(deployment, profile, { ...chosen, clientId: newClientId() })
    : { tokenUrl: deployment.tokenUrl, ...(await makeClient(deployment, profile, chosen)) };
  printSecrets(session, deployment, made);
}

/** Has the form of an id of Cognito. */
const newClientId = (): string => randomBytes(13).toString('hex');

function chosenClient(
  { tenantId: tenant }: StoredProfile,
  options: Options,
  { keys, callbackUrl, notificationUrl, resource, returnOrigin, profile }: Registered,
): NewClient {
  const numberMatching = readNumberMatching(options.numberMatching);
  return {
    tenantId: tenant,
    name: options.name,
    scopes: readScopes(options.scope),
    ...(numberMatching && { numberMatching }),
    ...(returnOrigin && { returnOrigins: returnOrigin }),
    ...(keys && { keys }),
    ...(callbackUrl && { callbackUrl }),
    ...(notificationUrl && { notificationUrl }),
    ...(resource && { resource }),
    ...(profile === 'fapi' && { profile }),
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
  chosen: NewClient & { clientId: string },
): Promise<void> {
  if (deployment.userPoolId !== undefined)
    throw new UsageError(
      '--client is only for tokens of an issuer of your own. In this deployment Cognito makes the id.',
    );
  const known = await clientStoreOf(deployment).find(chosen.clientId);
  if (known && known.tenantId !== chosen.tenantId)
    throw new CommandError(`The client ${chosen.clientId} belongs to another tenant.`);
  if (!known) {
    printSecrets(session, deployment, await addClient(deployment, profile, chosen));
    return;
  }
  session.note('The client existed already, and stays as it is. "omi client set" changes it.');
  session.print(clientView(known), describeClients([known]));
}

/** The command cannot show the secret of an existing client again, and a second secret would be a surprise. */
async function refuseTakenName(
  deployment: Deployment,
  { tenantId: tenant, name }: { tenantId: string; name: string },
): Promise<void> {
  const clients = await clientStoreOf(deployment).ofTenant(tenant);
  const taken = clients.find((client) => client.name === name);
  if (!taken) return;
  const change = taken.oauth?.keys
    ? `Give it other keys with "omi client set ${taken.clientId} --jwks <file>"`
    : `Give it a new secret with "omi client rotate ${taken.clientId}"`;
  throw new CommandError(
    `The tenant already has a client with this name: ${taken.clientId}.`,
    `${change}, or choose another name.`,
  );
}
