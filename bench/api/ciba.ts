import type { Poll } from './load.ts';

/** The website, as a client of the OpenID provider. */
export const cibaClient = { id: 'website', secret: 'known-only-to-the-website-and-the-provider' };

export const cibaGrant = 'urn:openid:params:grant-type:ciba';

const authorization = `Basic ${Buffer.from(`${cibaClient.id}:${cibaClient.secret}`).toString('base64')}`;
const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };

/** The polls take turns over this number of requests, each of another user. */
const requests = 100;

/** Requests the authentication of users (CIBA, section 7), who never answer. @returns the poll for the tokens (section 10) */
export async function cibaPoll(url: string): Promise<Poll> {
  const ids = await Promise.all(
    Array.from({ length: requests }, async (_, user) => await requestAuthentication(url, `user-${user}`)),
  );
  return {
    url: `${url}/token`,
    method: 'POST',
    headers,
    bodies: ids.map((id) => new URLSearchParams({ grant_type: cibaGrant, auth_req_id: id }).toString()),
    // `authorization_pending`
    expectedStatus: 400,
  };
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
