/** Asks a user for approval by CIBA, with an OpenID Connect client that knows nothing of this service. */
import * as oidc from 'openid-client';

export type Question = {
  userId: string;
  message: string;
  details: readonly Record<string, string>[];
  signal: AbortSignal;
};

export type Approval =
  | { status: 'approved'; approvalToken: string; expiresInSeconds: number }
  | { status: 'refused' | 'expired' | 'unavailable'; explanation: string };

export type Client = { issuer: string; clientId: string; clientSecret: string };

/** Seconds in which the user may answer. */
const lifetimeSeconds = 300;

export async function connect({ issuer, clientId, clientSecret }: Client) {
  const url = new URL(issuer);
  // The local stack speaks HTTP on this machine. In the cloud, use a key of the client: `oidc.PrivateKeyJwt`.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const execute = url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const authentication = oidc.ClientSecretBasic(clientSecret);
  const config = await oidc.discovery(url, clientId, undefined, authentication, { execute });

  return async ({ userId, message, details, signal }: Question): Promise<Approval> => {
    const authorizationDetails = JSON.stringify(details);
    try {
      const asked = await oidc.initiateBackchannelAuthentication(config, {
        scope: 'openid',
        login_hint: userId,
        binding_message: message,
        authorization_details: authorizationDetails,
        requested_expiry: String(lifetimeSeconds),
        // The user sees that an agent asks, and not a browser.
        request_context: JSON.stringify({ browser: 'AI agent' }),
      });
      const tokens = await oidc.pollBackchannelAuthenticationGrant(config, asked, undefined, { signal });
      const approved = JSON.stringify(tokens.authorization_details);
      if (tokens.claims()?.sub !== userId || approved !== authorizationDetails)
        return { status: 'refused', explanation: 'Something else was approved.' };
      return {
        status: 'approved',
        approvalToken: tokens.access_token,
        expiresInSeconds: tokens.expires_in ?? 0,
      };
    } catch (error) {
      if (error instanceof oidc.ResponseBodyError) return failureOf(error);
      throw error;
    }
  };
}

/** Only what the agent may know: nothing of the device, and no difference between a denial and a withdrawal. */
function failureOf({ error }: oidc.ResponseBodyError): Approval {
  if (error === 'access_denied')
    return { status: 'refused', explanation: 'The user did not approve. Do not ask again.' };
  if (error === 'expired_token')
    return { status: 'expired', explanation: 'The user did not answer in time.' };
  if (error === 'temporarily_unavailable')
    return {
      status: 'unavailable',
      explanation: 'Another question is open, or there were too many. Ask later.',
    };
  if (error === 'unknown_user_id')
    return { status: 'unavailable', explanation: 'The user has no device that can approve.' };
  return { status: 'unavailable', explanation: `The question was not accepted (${error}).` };
}
