/** What the errors of all packages have, by which a call is repeated or not. */
export abstract class CallError extends Error {
  abstract readonly code: string;
  /** The HTTP status, if there was an answer. */
  abstract readonly status: number | undefined;
  /** Seconds after which the same call may succeed. */
  abstract readonly retryAfter: number | undefined;
}

export type CallFault = 'network' | 'timeout' | 'unexpected-answer' | 'token-refused';

/** Makes a package's own error. */
export type Fail = (
  fault: CallFault,
  details: { detail: string; status?: number; retryAfter?: number | undefined },
) => Error;
