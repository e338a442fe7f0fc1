import type { Poll } from './load.ts';

/** The website, as a client of the OpenID provider. */
export const cibaClient = { id: 'website', secret: 'known-only-to-the-website-and-the-provider' };
export const cibaGrant = 'urn:openid:params:grant-type:ciba';

/** `client_secret_basic` */
const headers = {
  authorization: `Basic ${Buffer.from(`${cibaClient.id}:${cibaClient.secret}`).toString('base64')}`,
  'content-type': 'application/x-www-form-urlencoded',
};

/** The poll of a pending confirmation. */
export const confirmationPoll = (baseUrl: string): Poll => ({
  url: `${baseUrl}/omi/push/confirmation?nonce=a-nonce-of-the-benchmark`,
  headers: { authorization: 'Bearer token' },
  expectedStatus: 200,
});

/** The poll for the tokens of these requests (CIBA, section 10), which take turns. */
export const tokenPoll = (url: string, ids: readonly string[]): Poll => ({
  ...{ url, method: 'POST', headers },
  bodies: ids.map((id) => new URLSearchParams({ grant_type: cibaGrant, auth_req_id: id }).toString()),
  // `authorization_pending`
  expectedStatus: 400,
});

/** Requests the authentication of 100 users (CIBA, section 7), who never answer. @returns the poll for the tokens */
export async function cibaPoll(url: string): Promise<Poll> {
  const ids = Array.from({ length: 100 }, async (_, user) => {
    const body = { scope: 'openid', login_hint: `user-${user}`, binding_message: 'W4SCT' };
    const response = await fetch(`${url}/backchannel`, {
      ...{ method: 'POST', headers, body: new URLSearchParams(body) },
    });
    if (!response.ok) throw new Error(`${url}/backchannel: ${response.status}`);
    return ((await response.json()) as { auth_req_id: string }).auth_req_id;
  });
  return tokenPoll(`${url}/token`, await Promise.all(ids));
}
