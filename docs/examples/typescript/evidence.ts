/** Checks a confirmation by what the device signed, without trust in anything between the device and you. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import type { Confirmation, Question } from './step-up.ts';

/** What you asked, from your own records and never from the answer that you check. */
export type Asked = Question & {
  baseUrl: string;
  tenantId: string;
  /** `keyThumbprint` of the user's devices, as you kept them when they were enrolled. */
  knownKeys: readonly string[];
};

/** Milliseconds. Older than this, ask again. */
const longestAge = 2 * 60_000;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

/** @throws {Error} unless the user's device confirmed exactly this, just now */
export async function verifyConfirmed(
  confirmation: Confirmation,
  asked: Asked,
  now = Date.now(),
): Promise<void> {
  const { status, decidedAt = '', evidence, deviceKey } = confirmation;
  if (status !== 'confirmed' || evidence === undefined || deviceKey === undefined)
    throw new Error(`It is ${status}`);
  if (!(now - Date.parse(decidedAt) <= longestAge)) throw new Error('It was confirmed too long ago');
  if (!asked.knownKeys.includes(await calculateJwkThumbprint(deviceKey, 'sha256')))
    throw new Error('Its key is of no device that the user enrolled');

  const key = await importJWK(deviceKey, 'ES256');
  const { payload, protectedHeader } = await compactVerify(evidence, key, { algorithms: ['ES256'] });
  const claims = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>;
  const expected = {
    aud: asked.baseUrl,
    tid: asked.tenantId,
    sub: asked.userId,
    iss: asked.deviceId ?? confirmation.deviceId,
    challengeId: sha256(`${asked.tenantId}\n${asked.nonce}`),
    messageHash: sha256(asked.message),
    detailsHash: asked.details && sha256(JSON.stringify(asked.details)),
    decision: 'confirm',
  };
  if (protectedHeader.typ !== 'omi-response+jws') throw new Error('The evidence is no response');
  if (protectedHeader.kid !== expected.iss) throw new Error('The evidence has another kid');
  for (const [name, value] of Object.entries(expected))
    if (claims[name] !== value) throw new Error(`The evidence has another ${name}`);
}
