/** Verifies, without the service, that the device verified its user: by fingerprint, face or PIN. Call it after `verifyConfirmed`. */
import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Confirmation } from './step-up.ts';

/** As `GET /omi/device/settings` had it when you asked. Keep it with the evidence. */
export type RelyingParty = { rpId: string; origins: readonly string[] };

type Assertion = { authenticatorData: string; clientDataJSON: string; signature: string };
type Claims = {
  challengeId: string;
  messageHash: string;
  decision: string;
  detailsHash?: string;
  userVerification?: Assertion;
};

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Flags of authenticator data: the user was there, and was verified (Web Authentication Level 3, section 6.1). */
const [UP, UV] = [0x01, 0x04];

/** @throws {Error} with the reason, if the evidence does not prove it */
export function verifyUserVerified({ evidence = '', passkeyKey }: Confirmation, app: RelyingParty): void {
  const claims = JSON.parse(bytesOf(evidence.split('.')[1] ?? '').toString()) as Claims;
  const { challengeId, messageHash, decision, detailsHash, userVerification: assertion } = claims;
  if (!assertion || !passkeyKey) throw new Error('The user was not verified');
  const [data, clientData] = [bytesOf(assertion.authenticatorData), bytesOf(assertion.clientDataJSON)];

  const { type, challenge, origin, crossOrigin } = JSON.parse(clientData.toString()) as Record<
    string,
    unknown
  >;
  const decided = [challengeId, messageHash, decision, ...(detailsHash === undefined ? [] : [detailsHash])];
  const expected = sha256(decided.join('.')).toString('base64url');
  if (type !== 'webauthn.get' || challenge !== expected)
    throw new Error('The assertion is for something else');
  if (!app.origins.includes(String(origin)) || crossOrigin === true) throw new Error('Another app asked');
  if (!data.subarray(0, 32).equals(sha256(app.rpId))) throw new Error('The passkey is for another app');
  if (((data[32] ?? 0) & (UP | UV)) !== (UP | UV)) throw new Error('The passkey did not verify the user');

  const key = createPublicKey({ key: passkeyKey, format: 'jwk' });
  const signed = Buffer.concat([data, sha256(clientData)]);
  if (!verify('sha256', signed, key, bytesOf(assertion.signature)))
    throw new Error("The passkey's signature is not valid");
}
