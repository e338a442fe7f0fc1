/**
 * Asks a user for an approval with a standard OpenID Connect library, and nothing of OMI:
 * `node approve.ts u-1734 'Pay 16.00 € to Café Zoë?'`
 */
import {
  allowInsecureRequests,
  ClientSecretBasic,
  discovery,
  initiateBackchannelAuthentication,
  pollBackchannelAuthenticationGrant,
  ResponseBodyError,
} from 'openid-client';

const { OMI_BASE_URL = '', OMI_CLIENT_ID = '', OMI_CLIENT_SECRET = '' } = process.env;
const [userId = '', message = ''] = process.argv.slice(2);

// The issuer is all that a client must know of the service.
const issuer = new URL(OMI_BASE_URL);
const config = await discovery(issuer, OMI_CLIENT_ID, undefined, ClientSecretBasic(OMI_CLIENT_SECRET), {
  // Only the local stack has no TLS. The function is marked as deprecated to stand out.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  ...(issuer.protocol === 'http:' && { execute: [allowInsecureRequests] }),
});

const request = await initiateBackchannelAuthentication(config, {
  scope: 'openid',
  login_hint: userId,
  binding_message: message,
  requested_expiry: '120',
});

try {
  // Waits between polls as the service asks, and verifies the ID token.
  const tokens = await pollBackchannelAuthenticationGrant(config, request);
  const { sub, auth_time: decidedAt = 0 } = tokens.claims() ?? {};
  console.log(`${sub} approved at ${new Date(decidedAt * 1000).toISOString()}`);
} catch (error) {
  if (!(error instanceof ResponseBodyError)) throw error;
  // For example `access_denied` or `expired_token`.
  console.log(`not approved: ${error.error}`);
  process.exitCode = 1;
}
