import { endpointsOf } from './endpoints.ts';

/** OpenID Connect CIBA Core 1.0, section 4. */
export const cibaGrantType = 'urn:openid:params:grant-type:ciba';

/** Algorithms of clients' assertions (RFC 7523). */
export const assertionAlgorithms = ['ES256', 'RS256'] as const;

/** Claims of ID tokens. */
const claims = [
  ...['iss', 'sub', 'tid', 'aud', 'iat', 'exp', 'auth_time', 'amr'],
  ...[
    'urn:openid:params:jwt:claim:auth_req_id',
    'omi_evidence',
    'omi_context',
    'omi_receipt',
    'omi_device_key',
    'omi_passkey_key',
  ],
];

/**
 * What clients discover about the service: OpenID Connect Discovery 1.0, section 3, and CIBA Core 1.0, section 4. There is no
 * authorization endpoint, so no response type. The member that lists them is required, also where the list is empty.
 */
export function providerMetadata(issuer: string) {
  const { jwks, backchannelAuthentication, token } = endpointsOf(issuer);
  return {
    issuer,
    jwks_uri: jwks,
    token_endpoint: token,
    backchannel_authentication_endpoint: backchannelAuthentication,
    backchannel_token_delivery_modes_supported: ['poll', 'ping'],
    backchannel_user_code_parameter_supported: false,
    grant_types_supported: [cibaGrantType],
    response_types_supported: [],
    scopes_supported: ['openid'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
    token_endpoint_auth_signing_alg_values_supported: assertionAlgorithms,
    // For clients with the profile fapi.
    backchannel_authentication_request_signing_alg_values_supported: ['ES256'],
    dpop_signing_alg_values_supported: ['ES256'],
    claims_supported: claims,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

export type ProviderMetadata = ReturnType<typeof providerMetadata>;
