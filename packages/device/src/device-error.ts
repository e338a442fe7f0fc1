import { CallError } from '../../http/src/call-error.ts';

/** What each code means for the user, and what to do next. */
const messages: Record<string, string> = {
  // Found on the device.
  'invalid-link': 'This is not a complete enrolment link. Scan the QR code again, or copy the whole link.',
  'unsupported-link': 'The enrolment link needs a newer version of this app. Update the app.',
  'foreign-link': 'The enrolment link belongs to another service. Open it with the app of that service.',
  'invalid-key': 'The key did not make an ES256 signature of 64 bytes (r and s, not DER).',
  'invalid-subscription': 'The push subscription has no endpoint or keys. Subscribe again.',
  'no-web-crypto': 'WebCrypto is not available. Open the app with https, or on localhost.',
  network: 'The service did not answer. Check the connection and try again.',
  'unexpected-answer': 'The answer is not from the service, or this app is too old for it.',
  // Answers of the service.
  'invalid-request': 'The service rejected the request as invalid.',
  'invalid-signature': 'The service does not know this device or its key. If this continues, enrol again.',
  'clock-skew': "The device's clock is wrong. Set the time, and try again.",
  'confirmation-required': 'A further device needs a confirmation. Start again on the website.',
  'recovery-required': 'The user has no device left to confirm with. The help desk of the website must help.',
  'enrolment-not-found': 'The enrolment code is wrong. Ask the website for a new QR code.',
  'enrolment-code-used': 'The enrolment code was already used. Ask the website for a new QR code.',
  'enrolment-code-expired': 'The enrolment code has expired. Ask the website for a new QR code.',
  'too-many-devices':
    'The user has too many devices. Remove one on the website, then scan the QR code again.',
  'challenge-not-found': 'The challenge is not for this device. Fetch the challenges again.',
  'challenge-expired': 'The time to answer is over. Start again on the website.',
  'already-decided': 'The challenge was answered elsewhere or withdrawn.',
  'message-mismatch': 'The hash does not match the message that was shown. Nothing was confirmed.',
  'number-required': 'Type the number that the website shows.',
  'wrong-number': 'The number was wrong, and the confirmation has ended. Start again on the website.',
  'user-verification-required': 'Confirm with fingerprint, face or PIN. Without a passkey, enrol again.',
  'user-verification-failed': 'The check of fingerprint, face or PIN was not accepted. Try again.',
  'passkey-counter': 'The passkey of this device may be a copy. Enrol the device again.',
  'stale-request': 'The service has already accepted this message, or a newer one of this device.',
  'too-large': 'The request is too large.',
  'temporarily-unavailable': 'The service cannot answer now. Try again in a moment.',
};

export type DeviceErrorDetails = {
  /** The HTTP status of the service's answer. */
  status?: number | undefined;
  /** With `clock-skew`: the service's time, in RFC 3339. */
  serverTime?: string | undefined;
  /** Seconds after which the same call may succeed. */
  retryAfter?: number | undefined;
  /** What the service says about this case. */
  detail?: string | undefined;
  cause?: unknown;
};

/** Why a call failed. `code` is for programs; `message` says what the user can do. */
export class DeviceError extends CallError {
  override readonly name = 'DeviceError';
  /** The service's problem code, or the device's own, such as `network` or `invalid-link`. */
  readonly code: string;
  readonly status: number | undefined;
  readonly serverTime: string | undefined;
  readonly retryAfter: number | undefined;
  readonly detail: string | undefined;

  constructor(code: string, details: DeviceErrorDetails = {}) {
    const { status, serverTime, retryAfter, detail, cause } = details;
    super(messageOf(code, details), { cause });
    this.code = code;
    this.status = status;
    this.serverTime = serverTime;
    this.retryAfter = retryAfter;
    this.detail = detail;
  }
}

function messageOf(code: string, { status, detail }: DeviceErrorDetails): string {
  if (Object.hasOwn(messages, code)) return messages[code] ?? code;
  return detail ?? `The service answered ${status ?? ''} ${code}.`;
}
