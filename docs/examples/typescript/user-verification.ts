/** Verifies, without the service, that the enrolled passkey verified the user: by fingerprint, face or PIN. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { Proof } from './evidence.ts';
import type { Confirmation } from './step-up.ts';

type Assertion = { id: string; authenticatorData: string; clientDataJSON: string; signature: string };
type Passkey = { id: string; jkt: string; rpId: string };

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Flags of authenticator data: the user was there, and was verified (Web Authentication Level 3, section 6.1). */
const [UP, UV] = [0x01, 0x04];

/**
 * @param proof what `verifyConfirmed` returned
 * @throws {Error} with the reason, if the evidence does not prove it
 */
export async function verifyUserVerified(
  { passkeyKey }: Pick<Confirmation, 'passkeyKey'>,
  { claims, receipt }: Proof,
): Promise<void> {
  const assertion = claims['userVerification'] as Assertion | undefined;
  const passkey = receipt['passkey'] as Passkey | undefined;
  if (!assertion || !passkeyKey || !passkey) throw new Error('The user was not verified');
  if (assertion.id !== passkey.id || (await calculateJwkThumbprint(passkeyKey)) !== passkey.jkt)
    throw new Error('The passkey is not the enrolled one');
  const [data, clientData] = [bytesOf(assertion.authenticatorData), bytesOf(assertion.clientDataJSON)];

  const { type, challenge, crossOrigin } = JSON.parse(clientData.toString()) as Record<string, unknown>;
  const names = ['challengeId', 'messageHash', 'contextHash', 'decision', 'detailsHash'];
  const signedTexts = claims as Partial<Record<string, string>>;
  const decided = names.flatMap((name) => signedTexts[name] ?? []);
  const expected = sha256(decided.join('.')).toString('base64url');
  if (type !== 'webauthn.get' || challenge !== expected || crossOrigin === true)
    throw new Error('The assertion is for something else');
  if (!data.subarray(0, 32).equals(sha256(passkey.rpId))) throw new Error('The passkey is for another app');
  if (((data[32] ?? 0) & (UP | UV)) !== (UP | UV)) throw new Error('The passkey did not verify the user');

  const key = createPublicKey({ key: passkeyKey, format: 'jwk' });
  const signed = Buffer.concat([data, sha256(clientData)]);
  if (!verify('sha256', signed, key, bytesOf(assertion.signature)))
    throw new Error("The passkey's signature is not valid");
}
