import { CallError, type Fail } from '../../http/src/call-error.ts';
import { hintOf, type OmiErrorCode } from './hints.ts';
import type { RequestFault } from './types.ts';

export type OmiErrorDetails = {
  status?: number | undefined;
  detail: string;
  traceId?: string | undefined;
  retryAfter?: number | undefined;
  errors?: readonly RequestFault[] | undefined;
};

/** Why a call failed. `code` is for programs, `hint` says what the website should do. Never holds a secret, token or nonce. */
export class OmiError extends CallError {
  override readonly name = 'OmiError';
  /** The service's problem code, or the package's own, such as `network` or `unexpected-answer`. */
  readonly code: OmiErrorCode;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;
  readonly detail: string;
  /** Identifies the call in questions to the operator. */
  readonly traceId: string | undefined;
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | undefined;
  readonly hint: string;
  /** With `invalid-request`: every fault of the request. */
  readonly errors: readonly RequestFault[] | undefined;

  constructor(code: OmiErrorCode, { status, detail, traceId, retryAfter, errors }: OmiErrorDetails) {
    const hint = hintOf(code);
    super(`${code}: ${detail} ${hint}`);
    this.code = code;
    this.status = status;
    this.detail = detail;
    this.traceId = traceId;
    this.retryAfter = retryAfter;
    this.hint = hint;
    this.errors = errors;
  }
}

export const fail: Fail = (code, details) => new OmiError(code, details);
