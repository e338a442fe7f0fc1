import { sha256 } from './bytes.ts';
import type { Answer, Challenge } from './challenge.ts';

/** The WebAuthn challenge of the assertion that goes with an answer: it binds message, details and decision. */
export async function assertionChallenge(
  { challengeId, messageHash, detailsHash }: Pick<Challenge, 'challengeId' | 'messageHash' | 'detailsHash'>,
  decision: Answer['decision'],
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = [challengeId, messageHash, decision, ...(detailsHash === undefined ? [] : [detailsHash])];
  return await sha256(parts.join('.'));
}

/** The WebAuthn challenge of the creation of the passkey that enrols with this code. */
export async function registrationChallenge(code: string): Promise<Uint8Array<ArrayBuffer>> {
  return await sha256(code);
}
