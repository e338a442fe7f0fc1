import { Omi } from '#website';
import { tokenSource } from '../../../packages/http/src/access-tokens.ts';
import { fail, bodyOf } from '../../../client/http.ts';
import { eventually } from '../../../client/waiting.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { routeScopes } from '../../../lambdas/routes.ts';
import { clientStoreOf } from '../../clients/client-store.ts';
import { cognitoClientOf } from '../../clients/cognito-client.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError, UsageError } from '../../command-error.ts';
import type { StoredProfile } from '../../tenants/profile-store.ts';
import type { Scene } from '../scene.ts';
import type { StepDefinition, StepRun } from '../step-runner.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const longestMs = 30_000;

type Wanted = { tenantId: string; scopes: readonly string[] };

/** Runs the operator's own command, which prints a token to its standard output. */
async function runTokenCommand(command: string, { tenantId, scopes }: Wanted): Promise<string> {
  const env = { ...process.env, OMI_TENANT: tenantId, OMI_SCOPE: scopes.join(' ') };
  const { stdout } = await run('/bin/sh', ['-c', command], { env, timeout: longestMs }).catch(failed);
  const token = stdout.trim();
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return token;
  throw new CommandError('The --token-command did not print a JWT to its standard output.');
}

/** Leaves out the command's output, which may be a secret. */
function failed(cause: { code?: unknown }): never {
  throw new CommandError(
    `The --token-command failed (${String(cause.code)}).`,
    'Run it by hand, with the requested scopes in OMI_SCOPE.',
    { cause },
  );
}

/** The tenant's website. */
export type Website = {
  omi: Omi;
  /** For calls that websites do not make, and answers that are refusals. */
  client: WebsiteClient;
  tokenFor: (scopes: readonly string[]) => Promise<string>;
};

export const websiteIsAccepted: StepDefinition = {
  name: 'token',
  title: 'A client of the tenant gets a token, and the API accepts it',
  limitSeconds: 90,
  hint: 'Check the token URL of the stage, and see the log of the Lambda authorize.',
};

const oneSecond = 1_000;

/** The authorizer's read is eventually consistent, so a new client may be unknown for a moment. */
const isUnknownYet = (status: number): boolean => status === 401;

export async function connectWebsite(
  scene: Scene,
  profile: StoredProfile,
  { signal, say }: StepRun,
): Promise<Website> {
  const tokenFor = await tokensOf(scene, profile);
  const token = await tokenFor(routeScopes);
  const connection = { baseUrl: scene.deployment.baseUrl, token: () => Promise.resolve(token) };
  const client = new WebsiteClient(connection);
  const ask = async () => {
    const answer = await client.listDevices(scene.userId);
    return isUnknownYet(answer.status) ? undefined : bodyOf(answer);
  };
  const patience = { everyMs: oneSecond, atMostMs: 60 * oneSecond, signal };
  await eventually('An answer other than 401 to a valid token', ask, patience);
  say(`${routeScopes.length} scopes`);
  return { omi: new Omi({ ...connection, tenantId: profile.tenantId }), client, tokenFor };
}

/** One token is enough for a run. The scopes are requested by name. */
async function tokensOf(scene: Scene, profile: StoredProfile): Promise<Website['tokenFor']> {
  const { tokenCommand, clientId } = scene.options;
  if (scene.deployment.userPoolId !== undefined && tokenCommand === undefined)
    return await cognitoTokens(scene, profile);
  if (tokenCommand === undefined || clientId === undefined)
    throw new UsageError(
      'Tokens of this stage come from an issuer of your own. Pass --token-command, a command that prints an access token, and --client-id, the client id in its tokens.',
    );
  await register(scene, profile, clientId);
  return async (wanted) =>
    await runTokenCommand(tokenCommand, { tenantId: profile.tenantId, scopes: wanted });
}

async function cognitoTokens(scene: Scene, profile: StoredProfile): Promise<Website['tokenFor']> {
  const { deployment, undo, options, runId } = scene;
  const tokenUrl = options.tokenUrl ?? deployment.tokenUrl;
  if (tokenUrl === undefined)
    throw new CommandError(`${deployment.name} has no output TokenUrl.`, 'Pass --token-url.');
  const pool = cognitoClientOf(deployment);
  const credentials = await pool.create(`${profile.tenantId} smoke-${runId}`, routeScopes);
  undo.add({
    what: `client ${credentials.clientId} of the user pool`,
    fix: `npx omi client delete ${credentials.clientId} --yes ${deployment.selector}`,
    remove: async () => await pool.delete(credentials.clientId),
  });
  await register(scene, profile, credentials.clientId);
  return async (wanted) => {
    const tokens = tokenSource({ tokenUrl, ...credentials }, { fetch, fail, now: Date.now });
    return await tokens.token(...wanted.map((name) => `${deployment.scopePrefix}${name}`));
  };
}

async function register(
  { deployment, undo }: Scene,
  profile: StoredProfile,
  clientId: string,
): Promise<void> {
  const { tenantId } = profile;
  await refuseForeign(deployment, clientId);
  const client = { clientId, tenantId, name: 'smoke', scopes: [...routeScopes] };
  undo.add({
    what: `client ${clientId} of the tenants table`,
    fix: `npx omi client delete ${clientId} --yes ${deployment.selector}`,
    remove: async () => await clientStoreOf(deployment).remove(client),
  });
  if (!(await clientStoreOf(deployment).add(client, profile)))
    throw new CommandError(`The client ${clientId} could not be registered.`, 'Run the command again.');
}

/** Comes before the entry of the undo list, so that the run never deletes the client of a tenant. */
async function refuseForeign(deployment: Deployment, clientId: string): Promise<void> {
  const known = await clientStoreOf(deployment).find(clientId);
  if (!known) return;
  throw new CommandError(
    `The client ${clientId} belongs to the tenant ${known.tenantId}.`,
    'Create a client at your issuer that only smoke tests use, and pass its id as --client-id.',
  );
}
