/** Why a token was rejected. It is only for the log; the caller does not see it. */
export type UnauthenticatedReason =
  | 'no-bearer-token'
  | 'malformed-token'
  | 'wrong-issuer'
  | 'unknown-key'
  | 'wrong-algorithm'
  | 'wrong-signature'
  | 'wrong-audience'
  | 'wrong-token-use'
  | 'no-expiry'
  | 'expired'
  | 'not-yet-valid'
  | 'no-client'
  | 'no-tenant'
  | 'unknown-client'
  | 'wrong-tenant'
  | 'suspended-tenant'
  | 'client-with-keys'
  | 'no-member';

/** The token is invalid. Every other error of the authorizer is a fault of the service. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated';
  readonly reason: UnauthenticatedReason;
  /** Only if the token is valid. */
  readonly clientId: string | undefined;

  constructor(reason: UnauthenticatedReason, options: { clientId?: string } = {}) {
    super(reason);
    this.reason = reason;
    this.clientId = options.clientId;
  }
}
