/** One fault of a request: `pointer` is a JSON pointer into the body, or `#/path/…`, `#/query/…`. */
export type FieldFault = { pointer: string; detail: string };

/** Every reason for which the service refuses a call, by the `code` of its problem document. */
export type RefusalCode =
  | 'invalid-request'
  | 'unauthorized'
  | 'invalid-signature'
  | 'clock-skew'
  | 'wrong-tenant'
  | 'reserved-type'
  | 'device-not-found'
  | 'confirmation-not-found'
  | 'enrolment-not-found'
  | 'challenge-not-found'
  | 'device-choice-required'
  | 'nonce-already-used'
  | 'event-id-already-used'
  | 'confirmation-pending'
  | 'too-many-devices'
  | 'enrolment-code-used'
  | 'enrolment-code-expired'
  | 'already-decided'
  | 'challenge-expired'
  | 'stale-request'
  | 'message-mismatch'
  | 'number-required'
  | 'wrong-number'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-notifications'
  | 'temporarily-unavailable';

export type RefusalOptions = {
  /** Faults of the request's fields. */
  errors?: FieldFault[];
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
  /** The service's clock, for a device whose own is off. */
  serverTime?: string;
  cause?: unknown;
};

/** A call that the service understood and does not carry out. `message` is for the caller's eyes. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly options: RefusalOptions;

  constructor(code: RefusalCode, detail: string, options: RefusalOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }
}

/** For a request that breaks rules: every fault at once. */
export function invalidRequest(errors: FieldFault[]): Refusal {
  const count = errors.length === 1 ? '1 fault' : `${errors.length} faults`;
  return new Refusal('invalid-request', `The request has ${count}.`, { errors });
}

/** For a request whose one field is at fault. */
export const invalidField = (pointer: string, detail: string): Refusal =>
  invalidRequest([{ pointer, detail }]);
