import { createPublicKey, verify } from 'node:crypto';
import * as v from 'valibot';
import type { DeviceKey } from '../device-key.ts';
import { sha256 } from '../../kernel/identifiers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { AuthenticatorData } from './authenticator-data.ts';
import { checkRpId, decode, hash, readVerified } from './checked-data.ts';
import { checkOrigin, readOperation, type ClientData } from './client-data.ts';
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
export type Decided = {
  challengeId: string;
  messageHash: string;
  contextHash: string;
  decision: string;
  detailsHash?: string | undefined;
};

export function assertionChallenge(decided: Decided): string {
  const { challengeId, messageHash, contextHash, decision, detailsHash } = decided;
  const parts = [challengeId, messageHash, contextHash, decision];
  return sha256([...parts, ...(detailsHash === undefined ? [] : [detailsHash])].join('.'));
}

/** For a device that removes itself. The message's `jti` makes it worth nothing with another message. */
export const removalChallenge = (deviceId: string, jti: string): string =>
  sha256(`unregister.${deviceId}.${jti}`);

/** ECDSA with SHA-256 over both parts; the signature is in DER (Web Authentication Level 3, section 6.5.5). */
function isSigned(authenticatorData: Buffer, clientData: Buffer, signature: Buffer, key: DeviceKey): boolean {
  const signed = Buffer.concat([authenticatorData, hash(clientData)]);
  return verify('sha256', signed, createPublicKey({ key, format: 'jwk' }), signature);
}

/**
 * A counter that does not grow belongs to a copy of the authenticator, or to one that was restored: the service cannot tell which,
 * and leaves neither in (Web Authentication Level 3, section 7.2, step 22). Many authenticators do not count: always 0.
 */
const isCountedOn = (before: number, now: number): boolean => now > before || (now === 0 && before === 0);

/**
 * Verifies that a passkey verified its user for this decision, whichever app asked: for evidence that was accepted before.
 *
 * @throws {Refusal} `user-verification-failed`
 */
export const verifySigned = (assertion: Assertion, decided: Decided, key: DeviceKey): Signed =>
  verifyOver(assertion, assertionChallenge(decided), key);

type Signed = { clientData: ClientData; data: AuthenticatorData };

function verifyOver(
  { authenticatorData, clientDataJSON, signature }: Assertion,
  challenge: string,
  key: DeviceKey,
): Signed {
  const clientBytes = decode(clientDataJSON, 'clientDataJSON');
  const clientData = readOperation(clientBytes, 'webauthn.get', challenge);
  const bytes = decode(authenticatorData, 'authenticatorData');
  const data = readVerified(bytes);
  if (isSigned(bytes, clientBytes, decode(signature, 'signature'), key)) return { clientData, data };
  throw verificationFailed("The signature does not verify with the passkey's key.");
}

/**
 * Verifies that the device's user was verified for this decision.
 *
 * @returns the new counter
 * @throws {Refusal} `user-verification-failed`, `passkey-counter`
 */
export const verifyAssertion = (
  assertion: Assertion,
  decided: Decided,
  device: Verifiable,
  relyingParty: RelyingParty,
): number => verifyAssertionOver(assertion, assertionChallenge(decided), device, relyingParty);

type Verifiable = { passkey?: Passkey; passkeySynced?: boolean };

/**
 * Verifies that the device's user was verified for what the challenge is the hash of (Web Authentication Level 3, section 7.2).
 *
 * @returns the new counter
 * @throws {Refusal} `user-verification-failed`, `passkey-counter`
 */
export function verifyAssertionOver(
  assertion: Assertion,
  challenge: string,
  { passkey, passkeySynced }: Verifiable,
  relyingParty: RelyingParty,
): number {
  if (!passkey) throw verificationFailed('The device has no passkey.');
  if (assertion.id !== passkey.id) throw verificationFailed("The passkey is not the device's.");
  const { clientData, data } = verifyOver(assertion, challenge, passkey.key);
  checkOrigin(clientData, relyingParty);
  checkRpId(data, relyingParty);
  if (data.credential) throw verificationFailed('Expected no flag AT in authenticatorData.');
  if (data.backupEligible !== passkeySynced)
    throw verificationFailed('Expected the flag BE in authenticatorData to be that of the enrolment.');
  if (!isCountedOn(passkey.counter, data.counter)) {
    throw new Refusal(
      'passkey-counter',
      `Expected a counter above ${passkey.counter}, that of the last use of the passkey. Enrol the device again.`,
    );
  }
  return data.counter;
}
