import { assertionAlgorithms, cibaGrantType } from '../../../core/openid/provider-metadata.ts';
import { ref } from './json-schema.ts';
import { openObject, strictObject, text, time, type Members } from './objects.ts';

const url = (description: string) => text(description, { format: 'uri' });

/** A list whose values are known. */
const listOf = (description: string, values: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: values },
  description,
});

const unsupported = (description: string) => ({ type: 'boolean', const: false, description });

const base64url32 = '^[A-Za-z0-9_-]{43}$';

/** Each method has its own parameters; with `client_secret_basic` there are none. */
const clientAuthentication: Members = {
  'client_id?': text('Of the client. `client_secret_post` needs it.'),
  'client_secret?': text('`client_secret_post`.'),
  'client_assertion_type?': text(
    '`private_key_jwt`: `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`.',
  ),
  'client_assertion?': text(
    '`private_key_jwt`: a JWT (RFC 7523) with `iss` and `sub` (the client id), `aud` (one string: the issuer or one of its two endpoints), ' +
      '`jti` (used once) and `exp` (at most 10 minutes ahead).',
  ),
};

/** Requests and answers of the OpenID Connect endpoints. */
export const openIdSchemas: Members = {
  Ping: strictObject('CIBA Core 1.0, section 10.2: the request has ended, and its result can be fetched.', {
    auth_req_id: text('As `bcAuthorize` answered it.'),
  }),
  ProviderMetadata: strictObject('OpenID Connect Discovery 1.0, section 3, and CIBA Core 1.0, section 4.', {
    issuer: url('`iss` of all tokens: the base URL.'),
    jwks_uri: url('Where the keys are that verify tokens.'),
    token_endpoint: url('Where tokens are redeemed.'),
    backchannel_authentication_endpoint: url('Where the confirmation of a user is asked for.'),
    backchannel_token_delivery_modes_supported: listOf('How a client learns of the end.', ['poll', 'ping']),
    backchannel_user_code_parameter_supported: unsupported('`user_code` is ignored.'),
    grant_types_supported: listOf('The grants of the token endpoint.', [cibaGrantType]),
    response_types_supported: {
      type: 'array',
      maxItems: 0,
      description: 'Empty: there is no authorization endpoint.',
    },
    scopes_supported: listOf('Scopes of a request.', ['openid']),
    subject_types_supported: listOf('Every client of a tenant sees the same `sub`.', ['public']),
    id_token_signing_alg_values_supported: listOf('Algorithms of ID tokens.', ['ES256']),
    token_endpoint_auth_methods_supported: listOf('How clients authenticate at both endpoints.', [
      'private_key_jwt',
      'client_secret_basic',
      'client_secret_post',
    ]),
    token_endpoint_auth_signing_alg_values_supported: listOf(
      "Algorithms of clients' assertions.",
      assertionAlgorithms,
    ),
    backchannel_authentication_request_signing_alg_values_supported: listOf(
      'Algorithms of signed requests, which clients with the profile fapi send.',
      ['ES256'],
    ),
    dpop_signing_alg_values_supported: listOf('Algorithms of DPoP proofs (RFC 9449).', ['ES256']),
    claims_supported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Claims of ID tokens.',
    },
    claims_parameter_supported: unsupported('`claims` is ignored.'),
    request_parameter_supported: unsupported('Requests are not signed.'),
    request_uri_parameter_supported: unsupported('Requests are not passed by reference.'),
  }),
  PublishedKeys: strictObject('Every key that ever signed for the service.', {
    keys: {
      type: 'array',
      minItems: 1,
      items: strictObject('A public key on P-256 (RFC 7517).', {
        kty: { type: 'string', const: 'EC' },
        crv: { type: 'string', const: 'P-256' },
        x: { type: 'string', pattern: base64url32 },
        y: { type: 'string', pattern: base64url32 },
        use: { type: 'string', const: 'sig' },
        alg: { type: 'string', const: 'ES256' },
        kid: text('Tokens and receipts name it.'),
        for: text('What it signs: tokens, receipts of enrolments, or checkpoints of logs.', {
          enum: ['token', 'receipt', 'log'],
        }),
        from: time('It signed nothing before.'),
        'until?': time('It signed nothing after. Absent while it is in use, or about to be.'),
      }),
    },
  }),
  KeySet: strictObject('A JWK set (RFC 7517, section 5).', {
    keys: {
      type: 'array',
      minItems: 1,
      items: strictObject('A public key on P-256.', {
        kty: { type: 'string', const: 'EC' },
        crv: { type: 'string', const: 'P-256' },
        x: { type: 'string', pattern: base64url32 },
        y: { type: 'string', pattern: base64url32 },
        use: { type: 'string', const: 'sig' },
        alg: { type: 'string', const: 'ES256' },
        kid: text('The thumbprint of the key (RFC 7638).', { pattern: base64url32 }),
      }),
    },
  }),
  AuthenticationRequest: openObject(
    'An authentication request (CIBA Core 1.0, section 7.1), with the parameters of the client authentication.',
    {
      'scope?': text('`openid`, and what else the access token is to have. Required, but with `request`.'),
      'request?': text(
        'Of a client with the profile fapi: a JWT with all other parameters as its claims, which are then not beside it.',
      ),
      'login_hint?': text(
        'The user: the user id, or a JSON text `{"format":"iss_sub","sub":…}` in which `device` may choose one of the user\'s devices. ' +
          'Without it, the device that last confirmed is asked, else the oldest one. Required, but with `request`.',
      ),
      'binding_message?': text(
        "Shown on the device under the rules of a message. Without it: the tenant's generic text, or a general question.",
      ),
      'authorization_details?': text(
        'A JSON text (RFC 9396): a list of objects, each with a `type`; at most 4 KB and 5 levels. The device shows and signs it.',
      ),
      'requested_expiry?': text(
        'Seconds. It is raised to 30, and lowered to what the tenant allows. The default is 120.',
        { pattern: '^[0-9]+$' },
      ),
      'client_notification_token?': text(
        'A bearer token: with it the client is pinged at its registered notification URL. Without it the client polls.',
        { maxLength: 1024 },
      ),
      ...clientAuthentication,
    },
  ),
  AuthenticationRequested: strictObject('CIBA Core 1.0, section 7.3.', {
    auth_req_id: text('Redeem it at the token endpoint. Keep it secret.', { pattern: base64url32 }),
    expires_in: { type: 'integer', description: 'Seconds in which the user may answer.' },
    interval: { type: 'integer', description: 'Seconds to wait between polls.' },
    'match_code?': text('With number matching: show it to the user, who repeats it on the device.', {
      pattern: '^([0-9]{2}|[0-9]{6})$',
    }),
  }),
  TokenRequest: openObject(
    'A token request (CIBA Core 1.0, section 10.1), with the parameters of the client authentication.',
    {
      grant_type: { type: 'string', const: cibaGrantType },
      auth_req_id: text('As the authentication request answered it.'),
      ...clientAuthentication,
    },
  ),
  TokenResponse: strictObject('RFC 6749, section 5.1, and OpenID Connect Core 1.0, section 3.1.3.3.', {
    access_token: {
      ...ref('CompactJws'),
      description:
        "A JWT of RFC 9068 (`typ` `at+jwt`) for the client's registered resource, else for the client. It has the details that the user " +
        'confirmed. A resource server compares `typ`, `aud` and `tid`. It opens no endpoint of this service.',
    },
    token_type: text('`DPoP`: the access token is bound to the key of the proof (`cnf.jkt`).', {
      enum: ['Bearer', 'DPoP'],
    }),
    expires_in: { type: 'integer', description: 'Seconds: both tokens live 10 minutes.' },
    scope: text('The scope of the access token, as the client asked for it. The user does not see it.'),
    id_token: {
      ...ref('CompactJws'),
      description:
        "Who confirmed, when (`auth_time`) and how (`amr`), with the device's signed answer in `omi_evidence`, its context and receipt in `omi_context` and `omi_receipt`, and the keys that verify it.",
    },
    'authorization_details?': {
      type: 'array',
      items: openObject(
        'One of the details.',
        { type: text('What kind of details these are.') },
        { additionalProperties: true },
      ),
      description: 'The details that the user confirmed.',
    },
  }),
};

/** RFC 6749, section 5.2. */
export const oauthErrorSchema = (codes: readonly string[]) =>
  strictObject('An OAuth error.', {
    error: text('What happened, for programs.', { enum: [...new Set(codes)] }),
    error_description: text('The same for people. The text may change.'),
  });
