import type { Receiver } from '../../core/callbacks/receiver.ts';
import type { SealedSecret } from '../../core/outbound/sealed-secret.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { defineCommand } from '../command.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { clientId, exampleClient } from '../ids.ts';
import type { Session } from '../session.ts';
import { newCallbackSecret } from './callback-secret.ts';
import { clientStoreOf, requireClient } from './client-store.ts';
import type { ClientChanges } from './client-writes.ts';
import { cognitoClientOf } from './cognito-client.ts';
import { authenticationOf, clientView, describeClients, printSecrets } from './describe-client.ts';
import { type NumberMatchingChoice, numberMatchingOption, readNumberMatching } from './number-matching.ts';
import {
  readRegistration,
  type Registered,
  type RegistrationOptions,
  registrationOptions,
  removalOptions,
  requireKeysOf,
} from './registration.ts';
import { readScopes, scopeOption } from './scopes.ts';
import type { TenantClient } from './tenant-client.ts';

type Options = RegistrationOptions & {
  client: string;
  scope?: string[];
  numberMatching?: NumberMatchingChoice;
};

export const setClientCommand = defineCommand<Options>({
  name: 'set',
  description:
    'Changes a client. Its secrets stay the same. A new callback gets a secret, which is shown once.',
  ids: [clientId],
  options: [scopeOption(), numberMatchingOption(), ...registrationOptions(), ...removalOptions()],
  examples: [
    `client set ${exampleClient} --scope all`,
    `client set ${exampleClient} --number-matching type`,
    `client set ${exampleClient} --number-matching tenant`,
    `client set ${exampleClient} --callback-url https://shop.example.com/omi/callback`,
    `client set ${exampleClient} --notification-url https://portal.example.com/ciba --resource https://api.example.com`,
    `client set ${exampleClient} --return-origin https://shop.example.com --return-origin https://www.shop.example.com`,
    `client set ${exampleClient} --no-callback-url`,
  ],
  run: setClient,
});

const settable = [
  'scope',
  'numberMatching',
  'jwks',
  'callbackUrl',
  'notificationUrl',
  'resource',
  'returnOrigin',
  'profile',
] as const satisfies readonly (keyof Options)[];

/** Idempotent. All changes of the table are one write. */
async function setClient(session: Session, options: Options): Promise<void> {
  if (settable.every((name) => options[name] === undefined))
    throw new UsageError(
      'Nothing to change: pass --scope, --number-matching, --callback-url or another option.',
    );
  const deployment = await session.deployment();
  const registered = await readRegistration(deployment, options);
  const before = await requireClient(deployment, options.client);
  requireKeysAllowed(deployment, before, registered);
  requireKeysOf(registered.profile ?? before.oauth?.profile, registered.keys ?? before.oauth?.keys);
  if (options.scope) await setScopes(session, deployment, before, readScopes(options.scope));
  const { callbackUrl } = registered;
  const secret =
    callbackUrl && !before.callback ? await newCallbackSecret(deployment, before.clientId) : undefined;
  const changes = changesOf(before, { ...options, ...registered, sealed: secret?.sealed });
  if (!(await clientStoreOf(deployment).change(before, changes)))
    throw new CommandError(`The client ${before.clientId} was deleted at the same time.`);
  if (registered.keys && !before.oauth?.keys)
    session.note(
      'The client now uses only the OpenID Connect endpoints. The API no longer accepts its tokens of your own issuer.',
    );
  session.note("Takes effect within 5 minutes, when the API's cached decisions expire.");
  const client = await requireClient(deployment, before.clientId);
  if (secret) printSecrets(session, deployment, { client, callbackSecret: secret.callbackSecret });
  else session.print(clientView(client), describeClients([client]));
}

/** A client with a secret keeps it: whoever has the secret could still get tokens of the API. */
function requireKeysAllowed(deployment: Deployment, client: TenantClient, { keys }: Registered): void {
  if (!keys || client.oauth?.keys) return;
  if (deployment.userPoolId === undefined && authenticationOf(client) === 'none') return;
  throw new CommandError(
    `The client ${client.clientId} has a secret, so it cannot have keys.`,
    `Create another client with keys: omi client create ${client.tenantId} --jwks <file> …`,
  );
}

/** First the user pool, which decides the scopes of tokens. A client with keys is not in it. */
async function setScopes(
  session: Session,
  deployment: Deployment,
  { clientId: id, oauth }: TenantClient,
  scopes: string[],
): Promise<void> {
  if (oauth?.keys) return;
  if (deployment.userPoolId === undefined) {
    session.note('Your own issuer decides the scopes of tokens: change the client there, too.');
    return;
  }
  await cognitoClientOf(deployment).setScopes(id, scopes);
  session.note('New tokens have these scopes. Existing tokens keep theirs until they expire.');
}

type Chosen = Pick<Options, 'scope' | 'numberMatching'> & Registered & { sealed: SealedSecret | undefined };

function changesOf(before: TenantClient, chosen: Chosen): ClientChanges {
  const { scope, numberMatching, returnOrigin, keys, callbackUrl, notificationUrl, sealed } = chosen;
  const { resource, profile } = chosen;
  const oauth = {
    ...(keys && { keys }),
    ...(profile && { profile: profile === 'fapi' ? profile : undefined }),
    ...(notificationUrl !== undefined && { notificationUrl: notificationUrl || undefined }),
    ...(resource !== undefined && { resource: resource || undefined }),
  };
  const secrets = before.callback?.secrets ?? (sealed ? [sealed] : []);
  return {
    client: {
      ...(scope && { scopes: readScopes(scope) }),
      ...(numberMatching && { numberMatching: readNumberMatching(numberMatching) }),
      ...(returnOrigin !== undefined && { returnOrigins: returnOrigin || undefined }),
    },
    ...(Object.keys(oauth).length > 0 && { oauth }),
    ...(isOther(callbackUrl, before.callback) && { callback: receiverOf(callbackUrl, secrets) }),
    ...(isOther(notificationUrl, before.notification) && { notification: receiverOf(notificationUrl) }),
  };
}

/** The same URL again keeps the state of its receiver. */
const isOther = (url: string | false | undefined, known: Receiver | undefined): url is string | false =>
  url !== undefined && (url || undefined) !== known?.url;

const receiverOf = (url: string | false, secrets: readonly SealedSecret[] = []) =>
  url === false ? undefined : { url, secrets };
