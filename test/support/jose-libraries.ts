import { createPublicKey } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import jsonwebtoken from 'jsonwebtoken';
import type { DeviceKey } from '../../core/devices/device-key.ts';
import { isObject } from '../../core/kernel/json.ts';

/** What a reader of evidence knows: for whom it was signed, with which key, and when it was accepted. */
export type Reading = { type: string; audience: string; key: DeviceKey; now: number };

/** Seconds by which the signer's clock may be ahead. */
const graceSeconds = 60;

async function joseAccepts(jws: string, { type, audience, key, now }: Reading): Promise<boolean> {
  const options = {
    algorithms: ['ES256'],
    typ: type,
    audience,
    currentDate: new Date(now),
    clockTolerance: graceSeconds,
    requiredClaims: ['iat', 'jti'],
  };
  return await jwtVerify(jws, await importJWK(key, 'ES256'), options).then(
    () => true,
    () => false,
  );
}

/** Verifies by OpenSSL's streams and DER signatures, where jose uses WebCrypto, and splits and decodes by itself. */
function jsonwebtokenAccepts(jws: string, { type, audience, key, now }: Reading): boolean {
  const options = {
    algorithms: ['ES256'],
    audience,
    clockTimestamp: now / 1000,
    clockTolerance: graceSeconds,
    complete: true,
  } as const;
  try {
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    const { header, payload } = jsonwebtoken.verify(jws, publicKey, options);
    return header['typ'] === type && isObject(payload);
  } catch {
    return false;
  }
}

/** What two libraries that share no code say of a message: as a website may use either to check its evidence. */
export const acceptedBy = async (jws: string, reading: Reading) => ({
  jose: await joseAccepts(jws, reading),
  jsonwebtoken: jsonwebtokenAccepts(jws, reading),
});
