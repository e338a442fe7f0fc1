import { randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Configuration, Provider } from 'oidc-provider';
import { createSigningKey } from '../issuer/secrets.ts';
import { serveLoopback } from '../server/loopback-server.ts';
import { localMembers, type LocalMember, memberOf } from './members.ts';

type Payload = Record<string, unknown> & { uid?: string; consumed?: number };

/** Sign-ins of the library `oidc-provider`, for as long as the stack runs. The members are few, and each leaves a few entries. */
class MemoryAdapter {
  readonly #entries = new Map<string, Payload>();

  upsert(id: string, payload: Payload): void {
    this.#entries.set(id, payload);
  }

  find(id: string): Payload | undefined {
    return this.#entries.get(id);
  }

  findByUid(uid: string): Payload | undefined {
    return [...this.#entries.values()].find((entry) => entry.uid === uid);
  }

  consume(id: string): void {
    const entry = this.#entries.get(id);
    if (entry) entry.consumed = Math.floor(Date.now() / 1_000);
  }

  destroy(id: string): void {
    this.#entries.delete(id);
  }

  revokeByGrantId(grantId: string): void {
    for (const [id, entry] of this.#entries) if (entry['grantId'] === grantId) this.#entries.delete(id);
  }
}

/** Nothing of it comes from a request. */
const choicePage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,"><title>Sign in to the local stack</title></head>
<body>
<main>
<h1>Who are you?</h1>
<p>This is the local stack: people sign in without a password.</p>
<form method="post">
${localMembers.map(({ memberId, name }) => `<p><button name="member" value="${memberId}">${name}</button></p>`).join('\n')}
</form>
</main>
</body>
</html>
`;

export type StaffIssuerOptions = {
  /** 0 for any free port. */
  port: number;
  /** The pages that sign members in. Codes go back there, and they may exchange them from their origins. */
  consoleUrl: string;
  exportsUrl: string;
  log: (line: string) => void;
};

export type StaffIssuer = {
  issuer: string;
  /** The client of the help desk's page, and that of the exports page. */
  clientId: string;
  exportsClientId: string;
  authorizationUrl: string;
  tokenUrl: string;
  members: readonly LocalMember[];
  close: () => Promise<void>;
};

const clientId = 'omi-console';
const exportsClientId = 'omi-exports';
const algorithm = 'RS256';
const tokenLifetimeSeconds = 3_600;

/**
 * An OpenID Connect issuer for the help desk and the exports page of the local stack: code with PKCE, and a choice of members in place of a
 * password. A stage has a user pool with a second factor, or the operator's own issuer.
 *
 * @throws {StartError} if the port is not available
 */
export async function startStaffIssuer(options: StaffIssuerOptions): Promise<StaffIssuer> {
  let handler: RequestListener = (_, response) => response.writeHead(503).end();
  const { port, consoleUrl, exportsUrl } = options;
  const listener: RequestListener = (request, response) => handler(request, response);
  // The script of a page exchanges the code, so its origin is none of a stranger.
  const server = await serveLoopback(listener, { port, publicUrl: [consoleUrl, exportsUrl] });
  const { url: issuer } = server;
  const provider = new Provider(issuer, await configuration(options));
  provider.silent = true;
  provider.on('server_error', (_, error) => options.log(`The issuer for staff failed: ${String(error)}`));
  const answer = provider.callback();
  handler = (request, response) => {
    if (!isChoice(request)) answer(request, response);
    else
      choose(provider, request, response).catch(() => {
        response.writeHead(400, { 'content-type': 'text/plain' }).end('Sign in from the page once more.');
      });
  };
  return {
    issuer,
    clientId,
    exportsClientId,
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    members: localMembers,
    close: server.close,
  };
}

const choicePath = '/choose/';

const isChoice = ({ url = '' }: IncomingMessage): boolean => url.startsWith(choicePath);

/** Shows the members, and signs in the one that was chosen. */
async function choose(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    response.end(choicePage);
    return;
  }
  const member = memberOf(await chosenIn(request));
  if (!member) throw new Error('There is no such member');
  await provider.interactionFinished(request, response, { login: { accountId: member.memberId } });
}

const largestForm = 1_024;

async function chosenIn(request: IncomingMessage): Promise<string | undefined> {
  let body = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    body += chunk.toString('utf8');
    if (body.length > largestForm) throw new Error('The form is too large');
  }
  return new URLSearchParams(body).get('member') ?? undefined;
}

async function configuration(options: StaffIssuerOptions): Promise<Partial<Configuration>> {
  const pages: Record<string, string> = {
    [clientId]: options.consoleUrl,
    [exportsClientId]: options.exportsUrl,
  };
  const pageOf = (client: { clientId: string }): string => pages[client.clientId] ?? '';
  return {
    adapter: MemoryAdapter,
    clients: Object.entries(pages).map(([id, url]) => ({
      client_id: id,
      redirect_uris: [`${url}/`],
      response_types: ['code'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'none',
    })),
    clientAuthMethods: ['none'],
    clientBasedCORS: (_, origin, client) => origin === pageOf(client),
    scopes: ['openid'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    claims: { openid: ['sub', 'groups', 'name'] },
    // Else only the endpoint for user info would have them.
    conformIdTokenClaims: false,
    findAccount: (_, accountId) => {
      const member = memberOf(accountId);
      return (
        member && {
          accountId,
          claims: () => ({ sub: accountId, groups: member.groups, name: member.name }),
        }
      );
    },
    extraTokenClaims: (_, { accountId }) => ({ groups: memberOf(accountId)?.groups }),
    // The page is the issuer's own: nobody has to agree that it learns who signs in.
    loadExistingGrant: async (context) => {
      const { session, client, provider } = context.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope('openid');
      grant.addResourceScope(pageOf(client), 'openid');
      await grant.save();
      return grant;
    },
    interactions: { url: (_, { uid }) => `${choicePath}${uid}` },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    jwks: { keys: [{ ...(await createSigningKey()), use: 'sig', alg: algorithm }] },
    ttl: {
      AuthorizationCode: 60,
      AccessToken: tokenLifetimeSeconds,
      IdToken: tokenLifetimeSeconds,
      Interaction: 600,
      Grant: tokenLifetimeSeconds,
      Session: tokenLifetimeSeconds,
    },
    features: {
      // Access tokens that the service's own API verifies, as those of a user pool (RFC 9068).
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, client) => pageOf(client),
        useGrantedResource: () => true,
        getResourceServerInfo: (_, __, client) => ({
          audience: client.clientId,
          scope: 'openid',
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenLifetimeSeconds,
          jwt: { sign: { alg: algorithm } },
        }),
      },
      ...Object.fromEntries(
        ['devInteractions', 'dPoP', 'pushedAuthorizationRequests', 'rpInitiatedLogout', 'userinfo'].map(
          (name) => [name, { enabled: false }],
        ),
      ),
    },
    renderError: (context, out) => void (context.body = out),
  };
}
