import { CallError, type Fail } from '../../http/src/call-error.ts';

/** What is wrong: decide by this. */
export type ConsumerErrorCode =
  | 'invalid-options'
  | 'malformed-record'
  | 'malformed-time'
  | 'invalid-webhook'
  | 'evidence-mismatch'
  | 'token-refused'
  | 'network'
  | 'unexpected-answer'
  /** The codes of the service's problem documents. */
  | (string & {});

export class ConsumerError extends CallError {
  override readonly name = 'ConsumerError';
  readonly code: ConsumerErrorCode;
  /** The status of an HTTP answer. */
  readonly status: number | undefined;
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ConsumerErrorCode,
    detail: string,
    { status, retryAfter, cause }: { status?: number; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(`${code}: ${detail}`, { cause });
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** A late answer counts as no answer. */
export const fail: Fail = (fault, { detail, ...http }) =>
  new ConsumerError(fault === 'timeout' ? 'network' : fault, detail, http);
