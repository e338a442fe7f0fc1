/** Addresses of the OpenID Connect endpoints of an issuer, which is the service's base URL. */
export const endpointsOf = (issuer: string) =>
  ({
    jwks: `${issuer}/oauth/jwks`,
    backchannelAuthentication: `${issuer}/bc-authorize`,
    token: `${issuer}/oauth/token`,
  }) as const;
