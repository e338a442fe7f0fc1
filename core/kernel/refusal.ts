/** One fault of a request: `pointer` is a JSON pointer into the body, or `#/path/…`, `#/query/…`. */
export type FieldFault = { pointer: string; detail: string };

/** Every `code` of a problem document. */
export type RefusalCode =
  | 'invalid-request'
  /** As RFC 9396 calls it. */
  | 'invalid_authorization_details'
  | 'unauthorized'
  | 'invalid-signature'
  | 'clock-skew'
  | 'wrong-tenant'
  | 'reserved-type'
  | 'confirmation-required'
  | 'recovery-required'
  | 'user-suspended'
  | 'not-your-tenant'
  | 'tenant-suspended'
  | 'another-member-required'
  | 'tenant-not-found'
  | 'user-not-found'
  | 'recovery-not-found'
  | 'device-not-found'
  | 'confirmation-not-found'
  | 'group-not-found'
  | 'enrolment-not-found'
  | 'challenge-not-found'
  | 'export-not-found'
  | 'event-not-found'
  | 'replay-not-found'
  | 'stream-not-found'
  | 'not-in-log'
  | 'device-choice-required'
  | 'nonce-already-used'
  | 'event-id-already-used'
  | 'confirmation-pending'
  | 'group-not-reachable'
  | 'too-many-devices'
  | 'too-many-streams'
  | 'stream-disabled'
  | 'enrolment-code-used'
  | 'enrolment-code-expired'
  | 'already-decided'
  | 'challenge-expired'
  | 'no-destination'
  | 'replay-running'
  | 'not-verified'
  | 'paused-by-operator'
  | 'stale-request'
  | 'message-mismatch'
  | 'number-required'
  | 'wrong-number'
  | 'user-verification-required'
  | 'user-verification-failed'
  | 'passkey-counter'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-notifications'
  | 'too-many-requests'
  | 'temporarily-unavailable';

export type RefusalOptions = {
  /** Faults of the request's fields. */
  errors?: FieldFault[];
  /** Seconds after which the same call may succeed. */
  retryAfter?: number;
  /** The service's time, for a device with a wrong clock. */
  serverTime?: string;
  cause?: unknown;
};

/** A request that the service rejects. The caller sees `message`. */
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

/** Limits of the response's size and of the time for checks. */
const maxListed = 100;
const maxCounted = 100_000;

function countOf(count: number): string {
  if (count === 1) return 'The request has 1 fault.';
  if (count <= maxListed) return `The request has ${count} faults.`;
  const some = count < maxCounted ? '' : 'at least ';
  const more = count - maxListed;
  return `The request has ${some}${count} faults: the first ${maxListed} are listed, ${some}${more} more are not.`;
}

/** A code with its own message. The number of faults is added only if some are not listed. */
type Kind = { code: RefusalCode; message: string };

const detailOf = (count: number, kind: Kind | undefined): string => {
  if (!kind) return countOf(count);
  return count <= maxListed ? kind.message : `${kind.message} ${countOf(count)}`;
};

/**
 * The refusal of a request with faults; undefined if there are none. It lists the first 100 faults and the number of the
 * others. A lazy iterable is read only up to the highest number that is counted.
 *
 * @param kind `invalid-request` if absent
 */
export function refusalOf(faults: Iterable<FieldFault>, kind?: Kind): Refusal | undefined {
  const errors: FieldFault[] = [];
  let count = 0;
  for (const fault of faults) {
    count += 1;
    if (count <= maxListed) errors.push(fault);
    if (count === maxCounted) break;
  }
  if (count === 0) return undefined;
  return new Refusal(kind?.code ?? 'invalid-request', detailOf(count, kind), { errors });
}

/** For a request with one fault. */
export const invalidField = (pointer: string, detail: string): Refusal =>
  new Refusal('invalid-request', countOf(1), { errors: [{ pointer, detail }] });
