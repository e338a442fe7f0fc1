import type { Refusal, RefusalCode } from '../kernel/refusal.ts';

/** Status and title of each problem code. */
export const problems: Record<RefusalCode, { status: number; title: string }> = {
  'invalid-request': { status: 400, title: 'The request is not valid' },
  invalid_authorization_details: { status: 400, title: 'The details are not valid' },
  unauthorized: { status: 401, title: 'The access token is not valid' },
  'invalid-signature': { status: 401, title: 'The signature is not valid' },
  'clock-skew': { status: 401, title: "The device's clock is wrong" },
  'wrong-tenant': { status: 403, title: 'The event belongs to another tenant' },
  'reserved-type': { status: 403, title: 'Only the service itself records such events' },
  'confirmation-required': { status: 403, title: 'The user must confirm the change of devices' },
  'recovery-required': { status: 403, title: 'The user has no device left to confirm with' },
  'user-suspended': { status: 403, title: 'The user is suspended' },
  'not-your-tenant': { status: 403, title: 'The tenant is not yours to help' },
  'tenant-suspended': { status: 403, title: 'The tenant is suspended' },
  'another-member-required': { status: 403, title: 'Another member of staff must agree' },
  'tenant-not-found': { status: 404, title: 'The tenant does not exist' },
  'user-not-found': { status: 404, title: 'The user does not exist' },
  'recovery-not-found': { status: 404, title: 'There is no such recovery' },
  'device-not-found': { status: 404, title: 'The device does not exist' },
  'confirmation-not-found': { status: 404, title: 'The confirmation does not exist' },
  'group-not-found': { status: 404, title: 'The group does not exist' },
  'enrolment-not-found': { status: 404, title: 'The enrolment does not exist' },
  'challenge-not-found': { status: 404, title: 'The challenge does not exist' },
  'export-not-found': { status: 404, title: 'The export does not exist' },
  'event-not-found': { status: 404, title: 'The event does not exist' },
  'replay-not-found': { status: 404, title: 'The replay does not exist' },
  'stream-not-found': { status: 404, title: 'The stream does not exist' },
  'not-in-log': { status: 404, title: 'The log does not have it' },
  'device-choice-required': { status: 409, title: 'The user has several devices' },
  'nonce-already-used': { status: 409, title: 'The nonce was used before' },
  'event-id-already-used': { status: 409, title: 'Another event has this id' },
  'confirmation-pending': { status: 409, title: 'A confirmation is open on the device' },
  'group-not-reachable': { status: 409, title: 'Too few members can be asked' },
  'too-many-devices': { status: 409, title: 'The user has the maximum number of devices' },
  'too-many-streams': { status: 409, title: 'The client has the maximum number of streams' },
  'stream-disabled': { status: 409, title: 'The stream is disabled' },
  'enrolment-code-used': { status: 409, title: 'The enrolment code was already used' },
  'already-decided': { status: 409, title: 'The confirmation is already decided' },
  'stale-request': { status: 409, title: 'A newer request was already accepted' },
  'no-destination': { status: 409, title: 'The export has no destination' },
  'replay-running': { status: 409, title: 'Another replay is running' },
  'not-verified': { status: 409, title: 'The export has not passed its test' },
  'paused-by-operator': { status: 409, title: 'The operator paused the export' },
  'enrolment-code-expired': { status: 410, title: 'The enrolment code has expired' },
  'challenge-expired': { status: 410, title: 'The challenge has expired' },
  'too-large': { status: 413, title: 'The request is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type is not supported' },
  'message-mismatch': { status: 422, title: 'The message does not match' },
  'number-required': { status: 422, title: 'A number is required' },
  'wrong-number': { status: 422, title: 'The number is wrong' },
  'user-verification-required': { status: 422, title: 'The user must be verified' },
  'user-verification-failed': { status: 422, title: 'The user was not verified' },
  'passkey-counter': { status: 422, title: 'The passkey may be a copy' },
  'too-many-notifications': { status: 429, title: 'Too many notifications' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'temporarily-unavailable': { status: 503, title: 'Temporarily unavailable' },
};

/**
 * Problem document of RFC 9457, with members of this API.
 *
 * @param api where the caller called it: the type leads to a page there that says what the code means
 */
export const problemDocument = (refusal: Refusal, traceId: string, api: string) => {
  const { code, message, options } = refusal;
  return {
    type: `${api}/problems/${code}`,
    title: problems[code].title,
    status: problems[code].status,
    detail: message,
    code,
    traceId,
    ...(options.errors && { errors: options.errors }),
    ...(options.serverTime && { serverTime: options.serverTime }),
  };
};
