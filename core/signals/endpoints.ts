/** Addresses of the transmitter (OpenID Shared Signals Framework 1.0, section 7.1). Its issuer is the base URL. */
export const endpointsOf = (issuer: string) =>
  ({
    jwks: `${issuer}/omi/ssf/jwks`,
    configuration: `${issuer}/omi/ssf/stream`,
    status: `${issuer}/omi/ssf/status`,
    verification: `${issuer}/omi/ssf/verify`,
    poll: (streamId: string) => `${issuer}/omi/ssf/streams/${streamId}/poll`,
  }) as const;
