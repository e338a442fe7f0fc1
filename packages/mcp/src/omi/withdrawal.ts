import { setTimeout } from 'node:timers/promises';
import * as oidc from 'openid-client';
import { type Client, transportRules } from './connection.ts';

const scope = 'credential:omi:push-notification:delete';

/** Milliseconds before each repetition. A host that ends waits for it. */
const pauses = [300, 1_000, 2_500];

/** Neither can be withdrawn any more, and neither needs it. */
const nothingToWithdraw = new Set([404, 409]);

/** The API's own tokens come from another server than the approvals. */
function apiClient({ clientId, credentials }: Client): oidc.Configuration | undefined {
  if ('keyFile' in credentials) return undefined;
  const url = new URL(credentials.tokenUrl);
  const metadata = { issuer: url.origin, token_endpoint: url.href };
  const authentication = oidc.ClientSecretBasic(credentials.clientSecret);
  const config = new oidc.Configuration(metadata, clientId, undefined, authentication);
  for (const rule of transportRules(url).execute ?? []) rule(config);
  return config;
}

/**
 * Takes open questions back from the phone.
 *
 * @returns false for a client with a key alone: it cannot get a token of the API, so the question stays until it expires
 */
export function withdrawalsOf(client: Client): (authReqId: string) => Promise<boolean> {
  const config = apiClient(client);
  return async (authReqId) => {
    if (config === undefined) return false;
    await repeated(async () => {
      const { access_token: token } = await oidc.clientCredentialsGrant(config, { scope });
      const url = new URL(`${client.baseUrl}/omi/push/confirmation`);
      url.searchParams.set('authReqId', authReqId);
      const { ok, status } = await oidc.fetchProtectedResource(config, token, url, 'DELETE');
      if (!ok && !nothingToWithdraw.has(status)) throw new Error(`The withdrawal was answered by ${status}.`);
    }, pauses);
    return true;
  };
}

/** A question that stays open could still be approved, and nobody would carry it out. */
async function repeated(work: () => Promise<void>, [pause, ...later]: readonly number[]): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (pause === undefined) throw error;
    await setTimeout(pause);
    await repeated(work, later);
  }
}
