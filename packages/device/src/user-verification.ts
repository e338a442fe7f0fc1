import { sha256 } from './bytes.ts';
import type { Answer, Challenge } from './challenge.ts';

/** The WebAuthn challenge of the assertion that goes with an answer: it binds message, context, details and decision. */
export async function assertionChallenge(
  challenge: Pick<Challenge, 'challengeId' | 'messageHash' | 'contextHash' | 'detailsHash'>,
  decision: Answer['decision'],
): Promise<Uint8Array<ArrayBuffer>> {
  const { challengeId, messageHash, contextHash, detailsHash } = challenge;
  const parts = [challengeId, messageHash, contextHash, decision];
  return await sha256([...parts, ...(detailsHash === undefined ? [] : [detailsHash])].join('.'));
}

/** The WebAuthn challenge of the creation of the passkey that enrols with this code. */
export async function registrationChallenge(code: string): Promise<Uint8Array<ArrayBuffer>> {
  return await sha256(code);
}

/** The WebAuthn challenge of the assertion with which a device removes itself, by the message with this `jti`. */
export async function removalChallenge(deviceId: string, jti: string): Promise<Uint8Array<ArrayBuffer>> {
  return await sha256(`unregister.${deviceId}.${jti}`);
}
