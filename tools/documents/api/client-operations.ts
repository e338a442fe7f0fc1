import { type OAuthErrorCode, statusOf } from '../../../core/openid/oauth-error.ts';
import type { Route } from '../../../lambdas/routes.ts';
import { exampleAnswers, exampleForms } from './examples.ts';
import type { Content, Words } from './operation.ts';

export type ClientLambda = Extract<Route, { caller: 'client' }>['lambda'];

/** An error of an operation. Its usual status may be another one for some of its reasons. */
export type ClientRefusal = { code: OAuthErrorCode; status: number; meaning: string; retryAfter?: boolean };

/** An operation of an OAuth client, which authenticates itself. */
export type ClientOperation = Words & { form: Content; refusals: readonly ClientRefusal[] };

const refusal = (
  code: OAuthErrorCode,
  meaning: string,
  more: Partial<ClientRefusal> = {},
): ClientRefusal => ({ code, status: statusOf(code), meaning, ...more });

const common: readonly ClientRefusal[] = [
  refusal(
    'invalid_request',
    'The body is no form, a parameter is missing, malformed or repeated, or the client used several methods of authentication at once.',
  ),
  refusal('invalid_request', 'The body has more than 64 KiB.', { status: 413 }),
  refusal(
    'invalid_client',
    'The client is unknown, its credentials are wrong, its assertion was used before, or its tenant is suspended.',
  ),
  refusal('unauthorized_client', 'The client lacks the scope `credential:omi:push-notification:post`.'),
  refusal(
    'temporarily_unavailable',
    'The service cannot answer now. Repeat the call after `Retry-After` seconds, with a new client assertion.',
    { retryAfter: true },
  ),
];

const authentication =
  'The client authenticates itself by `client_secret_basic`, `client_secret_post` or `private_key_jwt` (ES256 or RS256, as its registered ' +
  'key says). It needs the scope `credential:omi:push-notification:post`. Unknown parameters are ignored, and repeated ones are refused.';

export const clientOperations: Record<ClientLambda, ClientOperation> = {
  'bc-authorize': {
    summary: 'Ask a user to confirm, as an OpenID Connect client',
    description:
      `The authentication request of CIBA Core 1.0, section 7. ${authentication}\n\n` +
      'A client with the profile fapi sends all of these parameters as claims of a JWT that it signs with ES256: `request`, with `iss`, `aud` ' +
      '(the issuer), `exp`, `iat`, `nbf` and `jti`, valid for 60 minutes at most.',
    form: {
      schema: 'AuthenticationRequest',
      examples: { request: { summary: 'A payment', value: exampleForms.authentication } },
    },
    success: {
      status: 200,
      description: 'The user is asked. Poll the token endpoint, or wait for the ping.',
      content: {
        schema: 'AuthenticationRequested',
        examples: {
          asked: { summary: 'Asked', value: exampleAnswers.authenticationRequested },
          number: { summary: 'With number matching', value: exampleAnswers.authenticationWithNumber },
        },
      },
    },
    refusals: [
      ...common,
      refusal('invalid_scope', 'The scope lacks `openid`, or is malformed.'),
      refusal('unknown_user_id', 'The user has no device, or the hint means no user of this issuer.'),
      refusal('invalid_binding_message', 'The text breaks the rules of a message. Nobody was asked.'),
      refusal('invalid_authorization_details', 'The details break the rules of RFC 9396 or of this service.'),
      refusal(
        'temporarily_unavailable',
        'The user was asked too often, or another confirmation is open on the device. Wait for `Retry-After` seconds.',
        { status: 429, retryAfter: true },
      ),
    ],
  },
  'oauth-token': {
    summary: 'Redeem a confirmed request for tokens',
    description:
      `The token request of CIBA Core 1.0, section 10. ${authentication} A request is redeemed once, by the client that made it, and at the ` +
      'latest 10 minutes after its expiry. The header `DPoP` (RFC 9449) binds the access token to a key; clients with the profile fapi need it.',
    form: {
      schema: 'TokenRequest',
      examples: { redeem: { summary: 'A poll', value: exampleForms.token } },
    },
    success: {
      status: 200,
      description: 'The user confirmed.',
      content: {
        schema: 'TokenResponse',
        examples: { tokens: { summary: 'Tokens', value: exampleAnswers.tokens } },
      },
    },
    refusals: [
      ...common,
      refusal(
        'invalid_dpop_proof',
        'The DPoP proof is missing, wrong, or was used before. Nothing was redeemed.',
      ),
      refusal('unsupported_grant_type', 'The grant is not `urn:openid:params:grant-type:ciba`.'),
      refusal('authorization_pending', 'The user has not answered yet. Wait for `Retry-After` seconds.', {
        retryAfter: true,
      }),
      refusal(
        'slow_down',
        'The poll came too soon. The interval is now 5 seconds longer: see `Retry-After`.',
        {
          retryAfter: true,
        },
      ),
      refusal('access_denied', 'The user denied, or the request failed or was cancelled.'),
      refusal('expired_token', 'Nobody answered in time, or the tokens were not redeemed in time.'),
      refusal('invalid_grant', 'The `auth_req_id` is unknown, belongs to another client, or was redeemed.'),
    ],
  },
};
