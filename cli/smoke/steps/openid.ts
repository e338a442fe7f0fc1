import { randomBytes } from 'node:crypto';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  type Acknowledgement,
  CibaClient,
  discover,
  oauthErrorOf,
  type ProviderMetadata,
  type Tokens,
} from '../../../client/ciba-client.ts';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { bodyOf } from '../../../client/http.ts';
import { eventually } from '../../../client/waiting.ts';
import { challengeIdOf } from '../../../core/kernel/identifiers.ts';
import { seconds } from '../../../core/kernel/time.ts';
import { usedAssertionKey } from '../../../core/openid/used-assertion-store.ts';
import { parseJwks } from '../../clients/jwks-file.ts';
import { addClient } from '../../clients/make-client.ts';
import { clientStoreOf } from '../../clients/client-store.ts';
import { CommandError } from '../../command-error.ts';
import { deleteItem } from '../../deployment/table-client.ts';
import type { StoredProfile } from '../../tenants/profile-store.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import { confirm } from './confirmation.ts';

const scope = 'credential:omi:push-notification:post';

export const issuerIsDiscovered: StepDefinition = {
  name: 'openid',
  title: 'OpenID Connect clients discover the issuer and its keys',
  limitSeconds: 60,
  hint: 'Run "omi doctor". See the logs of the Lambdas openid-configuration and oauth-jwks.',
};

export const cibaIsConfirmed: StepDefinition = {
  name: 'ciba',
  title: 'A client with keys asks by CIBA, the phone confirms, and the tokens are valid',
  limitSeconds: 120,
  hint: 'See the logs of the Lambdas bc-authorize and oauth-token. Both may use the KMS keys of the stage.',
};

export async function discoverIssuer({ deployment }: Scene): Promise<ProviderMetadata> {
  const provider = bodyOf(await discover(deployment.baseUrl));
  if (provider.issuer === deployment.baseUrl) return provider;
  throw new CommandError(`The issuer is ${provider.issuer}, not ${deployment.baseUrl}`);
}

export async function confirmByCiba(
  scene: Scene,
  profile: StoredProfile,
  provider: ProviderMetadata,
  phone: SimulatedDevice,
  run: StepRun,
): Promise<void> {
  const client = new CibaClient();
  const clientId = await registerClient(scene, profile, client);
  const message = `Smoke test ${scene.runId} by CIBA ✓`;
  const parameters = { scope: 'openid', login_hint: scene.userId, binding_message: message };
  const acknowledged = bodyOf(await client.ask(provider, clientId, parameters));
  const { auth_req_id: authReqId } = acknowledged;
  const challengeId = challengeIdOf(scene.tenantId, authReqId);
  undoConfirmation(scene, challengeId);
  await confirm(phone, { challengeId, message }, run);
  const tokens = await redeem(client, { provider, clientId, acknowledged }, run);
  await verifyTokens(scene, { provider, clientId, authReqId }, tokens);
  const again = await client.redeem(provider, clientId, authReqId);
  if (oauthErrorOf(again) !== 'invalid_grant') throw new CommandError('The tokens can be redeemed twice');
  run.say('ID token and access token verified');
}

/** Undone in reverse order: the assertions, then the client. */
async function registerClient(scene: Scene, profile: StoredProfile, client: CibaClient): Promise<string> {
  const { deployment, undo, tenantId } = scene;
  const { clients, tables, selector } = deployment;
  const clientId = randomBytes(13).toString('hex');
  undo.add({
    what: `client ${clientId} with keys`,
    fix: `npx omi client delete ${clientId} --yes ${selector}`,
    remove: async () => await clientStoreOf(deployment).remove({ clientId }),
  });
  undo.add({
    what: 'assertions of the client, in the table confirmations',
    fix: 'They expire within minutes.',
    remove: async () => {
      for (const jti of client.assertionIds)
        await deleteItem(clients.dynamodb, tables.confirmations, usedAssertionKey({ clientId, jti }));
    },
  });
  const keys = parseJwks(JSON.stringify({ keys: [client.publicJwk] }), 'the key of this run');
  await addClient(deployment, profile, { clientId, tenantId, name: 'smoke CIBA', scopes: [scope], keys });
  return clientId;
}

function undoConfirmation({ deployment, undo }: Scene, pk: string): void {
  undo.add({
    what: 'item of the table confirmations',
    fix: 'It expires 24 hours after its end.',
    remove: async () =>
      await deleteItem(deployment.clients.dynamodb, deployment.tables.confirmations, { pk }),
  });
}

type Request = { provider: ProviderMetadata; clientId: string; acknowledged: Acknowledgement };

async function redeem(
  client: CibaClient,
  { provider, clientId, acknowledged }: Request,
  { signal }: StepRun,
): Promise<Tokens> {
  const ask = async (): Promise<Tokens | undefined> => {
    const answer = await client.redeem(provider, clientId, acknowledged.auth_req_id);
    if (answer.ok) return answer.body;
    const error = oauthErrorOf(answer);
    if (error === 'authorization_pending' || error === 'slow_down') return undefined;
    throw new CommandError(`The token endpoint answered ${answer.status} ${error ?? ''}`.trimEnd());
  };
  // A little longer than the interval, so that no poll is too early.
  const everyMs = (acknowledged.interval + 1) * seconds;
  return await eventually('The tokens', ask, { everyMs, atMostMs: 60 * seconds, signal });
}

type Expected = { provider: ProviderMetadata; clientId: string; authReqId: string };

/** As a client and a resource server verify them: with the published keys alone. */
async function verifyTokens(
  { tenantId, userId }: Scene,
  { provider, clientId, authReqId }: Expected,
  { id_token: idToken, access_token: accessToken }: Tokens,
): Promise<void> {
  const keys = createRemoteJWKSet(new URL(provider.jwks_uri));
  const expected = { issuer: provider.issuer, audience: clientId, subject: userId, algorithms: ['ES256'] };
  const { payload: identity } = await jwtVerify(idToken, keys, expected);
  const { payload: access } = await jwtVerify(accessToken, keys, { ...expected, typ: 'at+jwt' });
  if (identity['tid'] !== tenantId || access['tid'] !== tenantId)
    throw new CommandError('The tokens name another tenant');
  if (identity['urn:openid:params:jwt:claim:auth_req_id'] !== authReqId)
    throw new CommandError('The ID token belongs to another request');
}
