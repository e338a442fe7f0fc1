import * as oauth from 'oauth4webapi';
import type { SignInSettings } from './settings.ts';

export type SignedIn = { token: string; name: string; expiresAt: number };

/** What the page must remember while its member is at the issuer. It is of no use without the code. */
type Begun = { verifier: string; state: string; nonce: string; hash: string };

const storageKey = 'sign-in';

const redirectUri = (): string => `${location.origin}/`;

/**
 * Leads to the issuer: an authorization request with PKCE (RFC 7636).
 *
 * @param asAnother after a sign-out: the issuer asks again who it is
 */
export async function beginSignIn(
  { clientId, authorizationUrl }: SignInSettings,
  { asAnother }: { asAnother: boolean },
): Promise<void> {
  const begun: Begun = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    hash: location.hash,
  };
  const url = new URL(authorizationUrl);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirectUri(),
    code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
    state: begun.state,
    nonce: begun.nonce,
    ...(asAnother && { prompt: 'login' }),
  }).toString();
  sessionStorage.setItem(storageKey, JSON.stringify(begun));
  location.assign(url);
}

/**
 * Exchanges the code of the redirect. The address loses it at once, so that it is in no history, and gets its hash of before.
 *
 * @throws if it is not the answer to the request of this window, or the issuer refuses
 */
export async function finishSignIn(settings: SignInSettings): Promise<SignedIn> {
  const parameters = new URLSearchParams(location.search);
  const begun = readBegun();
  history.replaceState(undefined, '', `${location.pathname}${begun?.hash ?? ''}`);
  if (!begun) throw new Error('The sign-in was begun in another window.');
  const { issuer, clientId, authorizationUrl, tokenUrl } = settings;
  const server = { issuer, authorization_endpoint: authorizationUrl, token_endpoint: tokenUrl };
  const client = { client_id: clientId };
  const checked = oauth.validateAuthResponse(server, client, parameters, begun.state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    checked,
    redirectUri(),
    begun.verifier,
    // The local stack's issuer is on loopback, without TLS. The option is marked so that it stands out.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    { [oauth.allowInsecureRequests]: tokenUrl.startsWith('http://127.0.0.1:') },
  );
  const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: begun.nonce,
    requireIdToken: true,
  });
  const claims = oauth.getValidatedIdTokenClaims(answer);
  const { id_token: token } = answer;
  if (!claims || token === undefined) throw new Error('The issuer gave no ID token.');
  return { token, name: nameIn(claims), expiresAt: claims.exp * 1000 };
}

function readBegun(): Begun | undefined {
  const text = sessionStorage.getItem(storageKey);
  sessionStorage.removeItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as Begun);
}

/** What people call the member. */
function nameIn(claims: oauth.IDToken): string {
  const named = [claims['name'], claims['email'], claims['cognito:username']].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof named === 'string' ? named : claims.sub;
}
