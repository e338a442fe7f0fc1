/** A P-256 public key as a JWK, with the members that make its thumbprint (RFC 7638) and no others. */
export type DeviceKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string };
