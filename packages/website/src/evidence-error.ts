/** The evidence does not prove what was asked: do not carry out the action. `code` names the check that failed. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
  readonly code: EvidenceFault;

  constructor(code: EvidenceFault) {
    super(`The evidence does not prove what was asked: ${code}`);
    this.code = code;
  }
}

/** A claim has another value than what was asked. */
export type ComparedClaim =
  | 'iss'
  | 'sub'
  | 'tid'
  | 'aud'
  | 'challengeId'
  | 'messageHash'
  | 'detailsHash'
  | 'decision';

export type EvidenceFault =
  | ComparedClaim
  /** It was neither confirmed nor denied. */
  | 'status'
  /** There is no evidence, or no key. */
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
  | 'signature';
