import * as v from 'valibot';
import { exchange, type Answer } from './http.ts';

export type ClientCredentials = { tokenUrl: string; clientId: string; clientSecret: string };

const grantedSchema = v.looseObject({
  access_token: v.string(),
  token_type: v.string(),
  expires_in: v.number(),
  scope: v.exactOptional(v.string()),
});
export type GrantedToken = v.InferOutput<typeof grantedSchema>;

/** One token request (RFC 6749, 4.4). The credentials are in the Authorization header, or in the form. */
export async function requestToken(
  { tokenUrl, clientId, clientSecret }: ClientCredentials,
  { scope, credentialsIn = 'basic' }: { scope?: string; credentialsIn?: 'basic' | 'form' } = {},
): Promise<Answer<GrantedToken>> {
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) form.set('scope', scope);
  const headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' };
  if (credentialsIn === 'form') {
    form.set('client_id', clientId);
    form.set('client_secret', clientSecret);
  } else {
    // RFC 6749, 2.3.1: both parts are form-encoded before they are joined.
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return await exchange({ method: 'POST', url: tokenUrl, headers, body: form.toString() }, grantedSchema);
}
