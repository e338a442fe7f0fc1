import { createHash, createPublicKey, verify } from 'node:crypto';
import * as v from 'valibot';
import type { Confirmation } from './contract.ts';
import { ClientError } from './http.ts';

/** What passkeys are bound to: members of `GET /omi/device/settings`. */
export type RelyingParty = { rpId: string; origins: readonly string[] };

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

const bytes = v.pipe(
  v.string(),
  v.transform((text) => Buffer.from(text, 'base64url')),
);

const verifiedAnswer = v.object({
  challengeId: v.string(),
  messageHash: v.string(),
  contextHash: v.string(),
  detailsHash: v.optional(v.string()),
  decision: v.string(),
  userVerification: v.object({ authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }),
});

const clientDataSchema = v.object({
  type: v.literal('webauthn.get'),
  challenge: v.string(),
  origin: v.string(),
  crossOrigin: v.optional(v.literal(false)),
});

/** UP and UV in authenticator data (Web Authentication Level 3, section 6.1): the user was there, and was verified. */
const verifiedFlags = 0x01 | 0x04;

/**
 * Checks, without asking the service, that the device's passkey verified the user for this decision.
 *
 * @param claims those that `verifyEvidence` returns
 */
export function verifyUserVerification(
  claims: unknown,
  { passkeyKey }: Pick<Confirmation, 'passkeyKey'>,
  { rpId, origins }: RelyingParty,
): void {
  const answer = v.safeParse(verifiedAnswer, claims);
  if (!answer.success || passkeyKey === undefined) throw new ClientError('The user was not verified');
  const { challengeId, messageHash, contextHash, detailsHash, decision, userVerification } = answer.output;
  const { authenticatorData, clientDataJSON, signature } = userVerification;
  const clientData = v.safeParse(clientDataSchema, JSON.parse(clientDataJSON.toString()));
  const decided = [challengeId, messageHash, contextHash, decision];
  const challenge = sha256(
    [...decided, ...(detailsHash === undefined ? [] : [detailsHash])].join('.'),
  ).toString('base64url');
  if (!clientData.success || clientData.output.challenge !== challenge)
    throw new ClientError('The user was verified for something else');
  if (!origins.includes(clientData.output.origin)) throw new ClientError('Another app verified the user');
  if (!authenticatorData.subarray(0, 32).equals(sha256(rpId)))
    throw new ClientError('The passkey is for another RP ID');
  if (((authenticatorData[32] ?? 0) & verifiedFlags) !== verifiedFlags)
    throw new ClientError('The passkey did not verify the user');
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
  const key = createPublicKey({ key: passkeyKey, format: 'jwk' });
  if (!verify('sha256', signed, key, signature))
    throw new ClientError("The passkey's signature is not valid");
}
