import { assertionAlgorithms, cibaGrantType } from '../../core/openid/provider-metadata.ts';
import { strictObject, text, type Members } from './objects.ts';

const url = (description: string) => text(description, { format: 'uri' });

/** A list whose values are known. */
const listOf = (description: string, values: readonly string[]) => ({
  type: 'array',
  items: { type: 'string', enum: values },
  description,
});

const unsupported = (description: string) => ({ type: 'boolean', const: false, description });

const base64url32 = '^[A-Za-z0-9_-]{43}$';

/** Answers of the OpenID Connect endpoints. */
export const openIdSchemas: Members = {
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
    claims_supported: {
      type: 'array',
      items: { type: 'string' },
      description: 'Claims of ID tokens.',
    },
    claims_parameter_supported: unsupported('`claims` is ignored.'),
    request_parameter_supported: unsupported('Requests are not signed.'),
    request_uri_parameter_supported: unsupported('Requests are not passed by reference.'),
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
};
