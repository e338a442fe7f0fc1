import type { JsonWebKey } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type Configuration, errors, Provider, type TokenContext } from 'oidc-provider';
import type { ClientRegistry } from '../aws/stand-ins/cognito/client-registry.ts';
import { withCognito } from '../aws/stand-ins/cognito/listener.ts';
import { serveLoopback } from '../server/loopback-server.ts';
import { acceptEverySecret, metadataOf, storageOf } from './clients.ts';

export type IssuerClient = { clientId: string; clientSecret: string };

export type IssuerOptions = {
  /** 0 for any free port. */
  port: number;
  /** `aud` of the tokens. */
  audience: string;
  clients: readonly IssuerClient[];
  /** Clients that are added and removed at run time, by Cognito's API, which the issuer then also has. */
  added?: ClientRegistry;
  /** Each of `clients` may request all of them. */
  scopes: readonly string[];
  /** Scopes that `clients` get only if they request them by name. */
  scopesByName?: readonly string[];
  /** The RSA private key that signs the tokens. */
  signingKey: JsonWebKey;
  log: (line: string) => void;
};

export type Issuer = { issuer: string; tokenUrl: string; close: () => Promise<void> };

const tokenLifetimeSeconds = 3_600;
const algorithm = 'RS256';

/** An OAuth 2.0 token issuer with OIDC discovery, only for the client credentials grant. */
export async function startIssuer(options: IssuerOptions): Promise<Issuer> {
  let handler: RequestListener = (_, response) => response.writeHead(503).end();
  // The port is part of the issuer's name, and known only when the server listens.
  const server = await serveLoopback((request, response) => handler(request, response), {
    port: options.port,
  });
  const { url } = server;
  const { added, log } = options;
  const provider = createProvider(url, options).callback();
  handler = added ? withCognito(added, provider, log) : provider;
  const close = async (): Promise<void> => {
    await server.close();
    await added?.flush();
  };
  return { issuer: url, tokenUrl: `${url}/token`, close };
}

function createProvider(issuer: string, options: IssuerOptions): Provider {
  const provider = new Provider(issuer, configuration(options));
  provider.silent = true;
  acceptEverySecret(provider, options.added);
  provider.on('server_error', (_, error) => options.log(`The token issuer failed: ${String(error)}`));
  provider.registerGrantType(
    'client_credentials',
    async (context) => await grant(provider, context, options),
    ['scope'],
  );
  return provider;
}

function configuration({ clients, added, scopes, signingKey }: IssuerOptions): Partial<Configuration> {
  return {
    adapter: storageOf(added),
    clients: clients.map(({ clientId, clientSecret }) => metadataOf(clientId, clientSecret, scopes)),
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    scopes,
    responseTypes: [],
    jwks: { keys: [{ ...signingKey, use: 'sig', alg: algorithm }] },
    ttl: { ClientCredentials: tokenLifetimeSeconds },
    features: Object.fromEntries(unusedFeatures.map((name) => [name, { enabled: false }])),
    // The library's defaults of these two print a notice.
    clientBasedCORS: () => false,
    renderError: (context, out) => void (context.body = out),
  };
}

const unusedFeatures = [
  'devInteractions',
  'dPoP',
  'pushedAuthorizationRequests',
  'rpInitiatedLogout',
  'userinfo',
];

/**
 * The client credentials grant (RFC 6749, section 4.4). The library's own grants no scope to a request without scopes, and
 * drops unknown scopes.
 */
async function grant(provider: Provider, context: TokenContext, options: IssuerOptions): Promise<void> {
  const { audience } = options;
  const { client, params } = context.oidc;
  const scope = grantedScope(params.scope, client.scope, onlyByName(client.clientId, options));
  const token = new provider.ClientCredentials({ client, scope });
  token.resourceServer = new provider.ResourceServer(audience, {
    audience,
    scope,
    accessTokenFormat: 'jwt',
    accessTokenTTL: tokenLifetimeSeconds,
    jwt: { sign: { alg: algorithm } },
  });
  context.body = {
    access_token: await token.save(),
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope,
  };
}

/**
 * Without requested scopes Cognito grants all scopes of the client. This issuer does the same for added clients. The clients
 * of the local tenants have every scope, and must not get the scope for recovery by accident.
 */
function onlyByName(clientId: string, { clients, scopesByName = [] }: IssuerOptions): readonly string[] {
  return clients.some((client) => client.clientId === clientId) ? scopesByName : [];
}

/** The requested scopes; without any, all that need not be requested by name. */
function grantedScope(requested: string | undefined, allowed: string, byName: readonly string[]): string {
  const known = new Set(allowed.split(' '));
  const wanted = new Set((requested ?? '').split(' ').filter((scope) => scope !== ''));
  for (const scope of wanted)
    if (!known.has(scope)) throw new errors.InvalidScope('requested scope is not allowed', scope);
  const usual = [...known].filter((scope) => !byName.includes(scope));
  return (wanted.size > 0 ? [...wanted] : usual).join(' ');
}
