/** Checks a confirmation by what the device signed, without trust in anything between the device and you. */
import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import type { Confirmation, OmiKeys, Question } from './step-up.ts';

/** What you asked, from your own records and never from the answer that you check. */
export type Asked = Question & {
  baseUrl: string;
  tenantId: string;
  /** What `GET /.well-known/omi-keys` answers. */
  keys: OmiKeys;
  /** `keyThumbprint` of the user's devices, if you kept them when they were enrolled. */
  knownKeys?: readonly string[];
};

/** What is proved: the claims of the answer, and those of the receipt for the device's enrolment. */
export type Proof = { claims: Claims; receipt: Claims };
export type Claims = Record<string, unknown>;

/** Older than this, ask again. */
const longestAgeMs = 2 * 60_000;
/** By which clocks may differ. */
const toleranceSeconds = 5 * 60;

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('base64url');

/** @throws {Error} unless the user's enrolled device confirmed exactly this, just now */
export async function verifyConfirmed(
  confirmation: Confirmation,
  asked: Asked,
  now = Date.now(),
): Promise<Proof> {
  const { status, decidedAt = '', evidence, deviceKey, context, receipt } = confirmation;
  if (status !== 'confirmed' || evidence === undefined || deviceKey === undefined || receipt === undefined)
    throw new Error(`It is ${status}`);
  if (!(now - Date.parse(decidedAt) <= longestAgeMs)) throw new Error('It was confirmed too long ago');
  const jkt = await calculateJwkThumbprint(deviceKey, 'sha256');
  if (asked.knownKeys?.includes(jkt) === false)
    throw new Error('Its key is of no device that the user enrolled');

  const enrolled = {
    tid: asked.tenantId,
    sub: asked.userId,
    deviceId: asked.deviceId ?? confirmation.deviceId,
    jkt,
  };
  const claims = await claimsOf(evidence, deviceKey, {
    typ: 'omi-response+jws',
    kid: enrolled.deviceId,
  });
  compare('evidence', claims, {
    aud: asked.baseUrl,
    tid: asked.tenantId,
    sub: asked.userId,
    iss: enrolled.deviceId,
    // Another key can be found that verifies the same signature. It has another thumbprint.
    jkt,
    challengeId: sha256(`${asked.tenantId}\n${asked.nonce}`),
    messageHash: sha256(asked.message),
    detailsHash: asked.details && sha256(JSON.stringify(asked.details)),
    contextHash: sha256(context),
    decision: 'confirm',
  });
  const { purpose, requestedFrom } = JSON.parse(context) as Claims;
  // This website asks without them. If yours does not, compare them with what you asked.
  if (purpose !== undefined || requestedFrom !== undefined)
    throw new Error('The context has more than asked');
  return { claims, receipt: await checkReceipt(receipt, enrolled, asked) };
}

/** The service vouches for the device's key: it signed what it received when the user enrolled the device. */
async function checkReceipt(receipt: string, enrolled: Claims, { baseUrl, keys }: Asked): Promise<Claims> {
  const { kid = '' } = decodeProtectedHeader(receipt);
  const key = keys.keys.find((one) => one.kid === kid && one.for === 'receipt');
  if (!key) throw new Error('The receipt has an unknown key');
  const claims = await claimsOf(receipt, key, { typ: 'omi-receipt+jwt', kid });
  compare('receipt', claims, { iss: baseUrl, ...enrolled });
  const [from, until] = [key.from, key.until ?? '9999-01-01'].map((time) => Date.parse(time) / 1000);
  const iat = Number(claims['iat']);
  if (!(iat >= Number(from) - toleranceSeconds && iat <= Number(until) + toleranceSeconds))
    throw new Error('The key of the receipt was not in use');
  if (claims['by'] === 'test') throw new Error('The user exists for tests alone');
  return claims;
}

async function claimsOf(jws: string, jwk: JWK, header: { typ: string; kid: string }): Promise<Claims> {
  const key = await importJWK(jwk, 'ES256');
  const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: ['ES256'] });
  compare('header', protectedHeader, header);
  return JSON.parse(new TextDecoder().decode(payload)) as Claims;
}

function compare(what: string, actual: object, expected: object): void {
  const values = new Map(Object.entries(actual));
  for (const [name, value] of Object.entries(expected))
    if (values.get(name) !== value) throw new Error(`The ${what} has another ${name}`);
}
