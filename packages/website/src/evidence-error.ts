/** The evidence does not prove what was asked: do not carry out the action. `code` names the check that failed. */
export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
  readonly code: EvidenceFault;

  constructor(code: EvidenceFault, detail: string) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

/** A claim or header parameter has another value than what was asked. */
export type ComparedClaim =
  'iss' | 'sub' | 'tid' | 'aud' | 'challengeId' | 'messageHash' | 'detailsHash' | 'decision';

export type EvidenceFault =
  | ComparedClaim
  | 'status'
  | 'missing'
  | 'malformed'
  | 'header'
  | 'alg'
  | 'typ'
  | 'kid'
  | 'device-key'
  | 'unknown-key'
  | 'signature';
