import { poll, push } from './delivery-methods.ts';
import { endpointsOf } from './endpoints.ts';

/**
 * What receivers discover: OpenID Shared Signals Framework 1.0, section 7.1, with what the CAEP Interoperability Profile 1.0
 * requires of it.
 */
export function transmitterMetadata(issuer: string) {
  const { jwks, configuration, status, verification } = endpointsOf(issuer);
  return {
    spec_version: '1_0',
    issuer,
    jwks_uri: jwks,
    delivery_methods_supported: [push, poll],
    configuration_endpoint: configuration,
    status_endpoint: status,
    verification_endpoint: verification,
    // A token by the grant of client credentials, whose issuer the operator names.
    authorization_schemes: [{ spec_urn: 'urn:ietf:rfc:6749' }],
    // A stream has all users of its tenant. None can be added or removed.
    default_subjects: 'ALL',
  };
}

export type TransmitterMetadata = ReturnType<typeof transmitterMetadata>;
