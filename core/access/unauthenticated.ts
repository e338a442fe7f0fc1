/** Why a caller is not known to the service, as the log has it. The caller learns none of it. */
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
  | 'suspended-tenant';

/** The caller's to mend, unlike every other error of the authorizer. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated';
  readonly reason: UnauthenticatedReason;
  /** From a valid token alone. */
  readonly clientId: string | undefined;

  constructor(reason: UnauthenticatedReason, options: { clientId?: string } = {}) {
    super(reason);
    this.reason = reason;
    this.clientId = options.clientId;
  }
}
