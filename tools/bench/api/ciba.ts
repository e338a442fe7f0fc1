import type { Poll } from './load.ts';

/** The website, as a client of the OpenID provider. */
export const cibaClient = { id: 'website', secret: 'known-only-to-the-website-and-the-provider' };

export const cibaGrant = 'urn:openid:params:grant-type:ciba';

/** `client_secret_basic` */
export const basicHeaders = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
});

const headers = basicHeaders(cibaClient.id, cibaClient.secret);

/** The poll for the tokens of these requests (section 10). */
export const pollForTokens = (
  url: string,
  headers: Record<string, string>,
  ids: readonly string[],
): Poll => ({
  url,
  method: 'POST',
  headers,
  bodies: ids.map((id) => new URLSearchParams({ grant_type: cibaGrant, auth_req_id: id }).toString()),
  // `authorization_pending`
  expectedStatus: 400,
});

/** The polls take turns over this number of requests, each of another user. */
export const cibaRequests = 100;

/** Requests the authentication of users (CIBA, section 7), who never answer. @returns the poll for the tokens (section 10) */
export async function cibaPoll(url: string): Promise<Poll> {
  const ids = await Promise.all(
    Array.from({ length: cibaRequests }, async (_, user) => await requestAuthentication(url, `user-${user}`)),
  );
  return pollForTokens(`${url}/token`, headers, ids);
}

async function requestAuthentication(url: string, user: string): Promise<string> {
  const response = await fetch(`${url}/backchannel`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ scope: 'openid', login_hint: user, binding_message: 'W4SCT' }),
  });
  if (!response.ok) throw new Error(`${url}/backchannel: ${response.status}`);
  return ((await response.json()) as { auth_req_id: string }).auth_req_id;
}
