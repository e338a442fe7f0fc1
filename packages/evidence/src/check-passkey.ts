import { base64url, digestOf, fromBase64url, joined, sha256 } from './bytes.ts';
import { EvidenceError, type PasskeyFault } from './evidence-error.ts';
import { isObject, isSigned, readObject, textOf, thumbprintOf } from './jws.ts';
import type { Evidence, PublicKey, Receipt } from './types.ts';

/** UP and UV (Web Authentication Level 3, section 6.1): the user was there, and was verified. */
const userVerifiedFlags = 0x01 | 0x04;

/**
 * Verifies that the passkey of the enrolment verified the user for this very decision.
 *
 * @throws {EvidenceError}
 */
export async function checkPasskey(
  { challengeId, messageHash, contextHash, decision, detailsHash, userVerification }: Evidence,
  passkeyKey: PublicKey | undefined,
  passkey: Receipt['passkey'],
): Promise<void> {
  const need = (condition: boolean | undefined, code: PasskeyFault): void => {
    if (!condition) throw new EvidenceError(code);
  };
  if (!isObject(userVerification) || !passkeyKey) throw new EvidenceError('user-verified');
  const { id } = userVerification;
  const [data, client, der] = ['authenticatorData', 'clientDataJSON', 'signature'].map((name) =>
    fromBase64url(String(userVerification[name])),
  );
  const signature = der && rawSignature(der);
  if (!data || !client || !signature) throw new EvidenceError('passkey');
  if (passkey?.id !== id) throw new EvidenceError('passkey-id');
  need(passkey?.jkt === (await thumbprintOf(passkeyKey)), 'passkey-key');

  const { type, challenge, crossOrigin } = readObject(textOf(client, 'passkey'), 'passkey');
  const decided = [challengeId, messageHash, contextHash, decision];
  if (detailsHash !== undefined) decided.push(detailsHash);
  const expected = await digestOf(decided.join('.'));
  need(type === 'webauthn.get' && challenge === expected && crossOrigin !== true, 'passkey-challenge');
  const rpIdHash = await digestOf(String(passkey?.rpId));
  need(base64url(data.subarray(0, 32)) === rpIdHash, 'passkey-rpId');
  need(((data[32] ?? 0) & userVerifiedFlags) === userVerifiedFlags, 'passkey-flags');
  const signed = await joined([data, await sha256(client)]);
  need(await isSigned(passkeyKey, signature, signed), 'passkey-signature');
}

/** From `SEQUENCE { r INTEGER, s INTEGER }` in DER, as authenticators sign, to r and s in 32 bytes each. */
function rawSignature(der: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const size = der[at + 1] ?? 0;
    const digits = der.subarray(at + 2, at + 2 + size);
    // A zero before a number keeps it from being negative.
    const value = digits.subarray(digits[0] === 0 ? 1 : 0);
    if (der[at] !== 2 || value.length > 32) return undefined;
    raw.set(value, end - value.length);
    at += 2 + size;
  }
  return der[0] === 0x30 && der[1] === der.length - 2 && at === der.length ? raw : undefined;
}
