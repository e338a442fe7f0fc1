import { createPublicKey, verify } from 'node:crypto';
import * as v from 'valibot';
import type { DeviceKey } from '../device.ts';
import { sha256 } from '../../kernel/identifiers.ts';
import { decode, hash, readVerified } from './checked-data.ts';
import { checkClientData } from './client-data.ts';
import type { Passkey, RelyingParty } from './passkey.ts';
import { verificationFailed } from './verification-failed.ts';

/** What an app sends when the user's fingerprint, face or PIN was checked for an answer. */
export const assertion = v.object({
  id: v.string(),
  authenticatorData: v.string(),
  clientDataJSON: v.string(),
  signature: v.string(),
});
export type Assertion = v.InferOutput<typeof assertion>;

/** What the user decides. */
export type Decided = { challengeId: string; messageHash: string; decision: string };

export const assertionChallenge = ({ challengeId, messageHash, decision }: Decided): string =>
  sha256(`${challengeId}.${messageHash}.${decision}`);

/** ECDSA with SHA-256 over both parts; the signature is in DER (Web Authentication Level 3, section 6.5.5). */
function isSigned(authenticatorData: Buffer, clientData: Buffer, signature: Buffer, key: DeviceKey): boolean {
  const signed = Buffer.concat([authenticatorData, hash(clientData)]);
  return verify('sha256', signed, createPublicKey({ key, format: 'jwk' }), signature);
}

/** A counter that does not grow belongs to a copy of the authenticator. Many authenticators do not count: always 0. */
const isCountedOn = (before: number, now: number): boolean => now > before || (now === 0 && before === 0);

/**
 * Verifies that the device's user was verified for this decision (Web Authentication Level 3, section 7.2).
 *
 * @returns the new counter
 * @throws {Refusal} `user-verification-failed`
 */
export function verifyAssertion(
  { id, authenticatorData, clientDataJSON, signature }: Assertion,
  decided: Decided,
  { passkey, passkeySynced }: { passkey?: Passkey; passkeySynced?: boolean },
  relyingParty: RelyingParty,
): number {
  if (!passkey) throw verificationFailed('The device has no passkey.');
  if (id !== passkey.id) throw verificationFailed("The passkey is not the device's.");
  const clientData = decode(clientDataJSON, 'clientDataJSON');
  const challenge = assertionChallenge(decided);
  checkClientData(clientData, { type: 'webauthn.get', challenge, relyingParty });
  const bytes = decode(authenticatorData, 'authenticatorData');
  const { credential, counter, backupEligible } = readVerified(bytes, relyingParty);
  if (credential) throw verificationFailed('Expected no flag AT in authenticatorData.');
  if (backupEligible !== passkeySynced)
    throw verificationFailed('Expected the flag BE in authenticatorData to be that of the enrolment.');
  if (!isSigned(bytes, clientData, decode(signature, 'signature'), passkey.key))
    throw verificationFailed("The signature does not verify with the passkey's key.");
  if (!isCountedOn(passkey.counter, counter))
    throw verificationFailed('Expected a higher counter than that of the last answer.');
  return counter;
}
