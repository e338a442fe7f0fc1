import * as v from 'valibot';
import type { Device } from '../devices/device.ts';
import { assertion, removalChallenge, verifyAssertionOver } from '../devices/passkeys/assertion.ts';
import type { RelyingParty } from '../devices/passkeys/passkey.ts';
import { verificationRequired } from '../devices/passkeys/verification-failed.ts';

export const unregisterClaims = v.object({ jti: v.string(), userVerification: v.optional(assertion) });
export type UnregisterClaims = v.InferOutput<typeof unregisterClaims>;

/**
 * Checks that a device that removes itself verified its user, where the tenant requires it: an unlocked phone in the wrong hands
 * must not be able to. An assertion that was sent is checked in every mode. Its counter needs no write: the device is deleted, and
 * an answer in between conflicts.
 *
 * @throws {Refusal} `user-verification-required`, `user-verification-failed`, `passkey-counter`
 */
export function verifyRemoval(
  { jti, userVerification }: UnregisterClaims,
  device: Device,
  { requiresVerification, relyingParty }: { requiresVerification: boolean; relyingParty: RelyingParty },
): void {
  if (userVerification)
    verifyAssertionOver(userVerification, removalChallenge(device.deviceId, jti), device, relyingParty);
  else if (requiresVerification)
    throw verificationRequired(
      "Expected the claim userVerification: an assertion of the device's passkey for unregister.<deviceId>.<jti>. The website " +
        'removes a device without a passkey.',
    );
}
