/** The evidence does not prove what was asked: do not carry out the action. `code` names the check that failed. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
  readonly code: EvidenceFault;

  constructor(code: EvidenceFault) {
    super(`The evidence does not prove what was asked: ${code}`);
    this.code = code;
  }
}

/** A claim of the answer has another value than what was asked. */
export type ComparedClaim =
  | 'iss'
  | 'sub'
  | 'tid'
  | 'aud'
  | 'challengeId'
  | 'messageHash'
  | 'detailsHash'
  | 'contextHash'
  | 'decision';

export type EvidenceFault =
  | ComparedClaim
  /** It was neither confirmed nor denied. */
  | 'status'
  /** Too few members of the group confirmed, or somebody voted who is none. */
  | 'votes'
  /** The ID token is not one of the service, has expired, or is for another client or request. */
  | 'id-token'
  /** There is no evidence, device key, context or receipt. */
  | 'missing'
  /** It is not a JWS of JSON objects with unique members. */
  | 'malformed'
  /** The header has other parameters. */
  | 'header'
  /** It is not ES256. */
  | 'alg'
  /** The JWS is not a device's answer. */
  | 'typ'
  /** The key is of another device. */
  | 'kid'
  /** The key is not a public key on P-256. */
  | 'device-key'
  /** The key is not a known one. */
  | 'unknown-key'
  /** The signature is not the device's. */
  | 'signature'
  /** The device signed with another key than the one that is given. */
  | 'jkt'
  | ContextFault
  | ReceiptFault
  | PasskeyFault;

/** The context that the device showed is malformed, or a member differs from what was asked. */
export type ContextFault = 'context' | 'purpose' | 'requestedFrom' | 'subjectDeviceId' | 'group';

/** The service does not vouch for the device's key. */
export type ReceiptFault =
  /** It is not a receipt: a JWS with ES256, `typ` `omi-receipt+jwt`, `kid`, and nothing else in its header. */
  | 'receipt'
  /** Its `kid` is of no key for receipts. */
  | 'receipt-key'
  /** Its key was not in use at its time. */
  | 'receipt-time'
  /** The signature is not that of the service's key. */
  | 'receipt-signature'
  /** It is of another service, tenant, user, device or device key. */
  | 'receipt-iss'
  | 'receipt-tid'
  | 'receipt-sub'
  | 'receipt-deviceId'
  | 'receipt-jkt'
  /** What allowed the enrolment is not known, or the user is one for tests. */
  | 'receipt-by';

/** The user's verification is claimed or was required, and is not proved. */
export type PasskeyFault =
  /** Claimed without an assertion, required and not there, or not claimed with an assertion. */
  | 'user-verified'
  /** The assertion is malformed. */
  | 'passkey'
  /** It is not the passkey of the receipt: its id, or its key. */
  | 'passkey-id'
  | 'passkey-key'
  /** The assertion is for something else than this decision. */
  | 'passkey-challenge'
  /** The assertion is for another app. */
  | 'passkey-rpId'
  /** The user was not there, or was not verified. */
  | 'passkey-flags'
  | 'passkey-signature';
