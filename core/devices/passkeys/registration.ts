import { createPublicKey } from 'node:crypto';
import * as v from 'valibot';
import type { DeviceKey } from '../device-key.ts';
import { sha256 } from '../../kernel/identifiers.ts';
import { checkRpId, decode, readVerified } from './checked-data.ts';
import { checkOrigin, readOperation } from './client-data.ts';
import type { Passkey, RelyingParty } from './passkey.ts';
import { verificationFailed } from './verification-failed.ts';

/** What an app sends of a passkey that it created (WebAuthn's attestation `none`). */
export const registration = v.object({
  id: v.string(),
  publicKey: v.object({ kty: v.string(), crv: v.string(), x: v.string(), y: v.string() }),
  authenticatorData: v.string(),
  clientDataJSON: v.string(),
});
export type Registration = v.InferOutput<typeof registration>;

const isSameKey = (claimed: Registration['publicKey'], key: DeviceKey): boolean =>
  claimed.kty === key.kty && claimed.crv === key.crv && claimed.x === key.x && claimed.y === key.y;

function checkPoint(key: DeviceKey): void {
  try {
    createPublicKey({ key, format: 'jwk' });
  } catch (error) {
    throw verificationFailed('Expected publicKey to be a point on the curve P-256.', error);
  }
}

/**
 * Verifies a new passkey (Web Authentication Level 3, section 7.1). Its challenge is the hash of the enrolment's one-time
 * code.
 *
 * @throws {Refusal} `user-verification-failed`
 */
export function verifyRegistration(
  { id, publicKey, authenticatorData, clientDataJSON }: Registration,
  code: string,
  relyingParty: RelyingParty,
): { passkey: Passkey; passkeySynced: boolean } {
  const clientData = readOperation(decode(clientDataJSON, 'clientDataJSON'), 'webauthn.create', sha256(code));
  checkOrigin(clientData, relyingParty);
  const data = readVerified(decode(authenticatorData, 'authenticatorData'));
  checkRpId(data, relyingParty);
  const { credential, counter, backupEligible } = data;
  if (!credential) throw verificationFailed('Expected the flag AT in authenticatorData.');
  if (!credential.id.equals(decode(id, 'id')))
    throw verificationFailed('Expected id to be the credential id in authenticatorData.');
  if (!isSameKey(publicKey, credential.key))
    throw verificationFailed('Expected publicKey to be the key in authenticatorData.');
  checkPoint(credential.key);
  const { rpId } = relyingParty;
  return { passkey: { id, rpId, key: credential.key, counter }, passkeySynced: backupEligible };
}
