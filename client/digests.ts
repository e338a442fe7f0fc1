import { createHash } from 'node:crypto';
import { compactVerify, importJWK } from 'jose';
import * as v from 'valibot';
import type { Confirmation } from './contract.ts';
import { ClientError } from './http.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

/** The public identity of a challenge: anyone who knows tenant and nonce can compute it. */
export const challengeIdOf = (tenantId: string, nonce: string): string => sha256(`${tenantId}\n${nonce}`);

export const messageHashOf = (message: string): string => sha256(message);

const claimsSchema = v.looseObject({
  iss: v.string(),
  tid: v.string(),
  sub: v.string(),
  challengeId: v.string(),
  messageHash: v.string(),
  decision: v.picklist(['confirm', 'deny']),
});

const decisionOf = { confirmed: 'confirm', denied: 'deny' } as const;

/**
 * Checks a decided confirmation without asking the service: that the device's key signed this decision
 * about this message, this user and this nonce.
 */
export async function verifyEvidence(
  confirmation: Confirmation,
  asked: { tenantId: string; message: string; nonce: string },
): Promise<v.InferOutput<typeof claimsSchema>> {
  const { evidence, deviceKey, status } = confirmation;
  if (evidence === undefined || deviceKey === undefined) throw new ClientError('There is no evidence');
  if (status !== 'confirmed' && status !== 'denied') throw new ClientError(`Evidence of ${status}`);
  const { payload, protectedHeader } = await verifySignature(evidence, deviceKey);
  const claims = v.parse(claimsSchema, JSON.parse(new TextDecoder().decode(payload)));
  const expected = {
    challengeId: challengeIdOf(asked.tenantId, asked.nonce),
    messageHash: messageHashOf(asked.message),
    iss: confirmation.deviceId,
    sub: confirmation.userId,
    tid: asked.tenantId,
    decision: decisionOf[status],
  };
  for (const [name, value] of Object.entries(expected))
    if (claims[name] !== value) throw new ClientError(`The evidence has another ${name}`);
  if (protectedHeader.typ !== 'omi-response+jws') throw new ClientError('The evidence is no response');
  return claims;
}

async function verifySignature(evidence: string, deviceKey: NonNullable<Confirmation['deviceKey']>) {
  try {
    return await compactVerify(evidence, await importJWK(deviceKey, 'ES256'), { algorithms: ['ES256'] });
  } catch (error) {
    throw new ClientError("The evidence's signature is not the device's", { cause: error });
  }
}
