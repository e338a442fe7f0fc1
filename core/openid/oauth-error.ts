/** Status of each error code of RFC 6749 (section 5.2), CIBA Core 1.0 (sections 11 and 13), RFC 9396 (section 5) and RFC 9449 (section 5). */
const statuses = {
  invalid_request: 400,
  invalid_client: 401,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_authorization_details: 400,
  unknown_user_id: 400,
  invalid_binding_message: 400,
  invalid_dpop_proof: 400,
  invalid_grant: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  access_denied: 400,
  temporarily_unavailable: 503,
} as const;

export type OAuthErrorCode = keyof typeof statuses;

/** Its usual HTTP status. */
export const statusOf = (code: OAuthErrorCode): number => statuses[code];

export type OAuthErrorOptions = {
  /** If it differs from the code's usual one. */
  status?: number | undefined;
  /** Seconds after which the same call may succeed. */
  retryAfter?: number | undefined;
  cause?: unknown;
};

/**
 * A request of an OAuth client that the service rejects. The client sees `message` as `error_description`, so it has no
 * double quotes and no backslashes (RFC 6749, section 5.2).
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly retryAfter: number | undefined;

  constructor(
    code: OAuthErrorCode,
    description: string,
    { status = statusOf(code), retryAfter, cause }: OAuthErrorOptions = {},
  ) {
    // Nobody reads where a client was refused, and to note it takes longer than any other step of a poll.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(description, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export const invalidRequest = (description: string): OAuthError =>
  new OAuthError('invalid_request', description);

export const invalidClient = (description: string, cause?: unknown): OAuthError =>
  new OAuthError('invalid_client', description, { cause });

/** The same for a client that does not exist, so that a stranger cannot find out which clients there are, and of what kind. */
export const notAuthenticated = (): OAuthError =>
  invalidClient(
    'The client is unknown, or its credentials are wrong or not registered here. A client with registered keys must use private_key_jwt, any other client its secret.',
  );
