import { readFile } from 'node:fs/promises';
import { importJWK, type JWK } from 'jose';
import * as oidc from 'openid-client';

/** How the client proves to the service who it is. */
export type Credentials = { clientSecret: string; tokenUrl: string } | { keyFile: string };

export type Client = { baseUrl: string; clientId: string; credentials: Credentials };

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** HTTP without TLS is for this machine alone. */
export const transportRules = (url: URL): oidc.DiscoveryRequestOptions =>
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  url.protocol === 'http:' && loopback.has(url.hostname) ? { execute: [oidc.allowInsecureRequests] } : {};

async function privateKeyJwt(keyFile: string): Promise<oidc.ClientAuth> {
  const { kid, ...jwk } = JSON.parse(await readFile(keyFile, 'utf8')) as JWK;
  const key = await importJWK({ alg: 'ES256', ...jwk });
  if (key instanceof Uint8Array)
    throw new Error('OMI_CLIENT_KEY_FILE has no private key in the form of a JWK.');
  return oidc.PrivateKeyJwt({ key, ...(kid !== undefined && { kid }) });
}

const authenticationOf = async (credentials: Credentials): Promise<oidc.ClientAuth> =>
  'keyFile' in credentials
    ? await privateKeyJwt(credentials.keyFile)
    : oidc.ClientSecretBasic(credentials.clientSecret);

/** Reads the service's metadata. The signatures of ID tokens are checked with its keys. */
export async function discover({ baseUrl, clientId, credentials }: Client): Promise<oidc.Configuration> {
  const url = new URL(baseUrl);
  const authentication = await authenticationOf(credentials);
  const config = await oidc.discovery(url, clientId, undefined, authentication, transportRules(url));
  oidc.enableNonRepudiationChecks(config);
  return config;
}
