/** What the vectors say of signatures is what two JOSE libraries say that share no code. */
import { createPublicKey } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import jsonwebtoken from 'jsonwebtoken';
import type { DeviceKey } from '../../../../core/devices/device-key.ts';
import { acceptedBy } from '../../../support/jose-libraries.ts';
import { isGood, messageFile, messageKinds, serviceTimeOf, type Vector, type VectorFile } from './vectors.ts';

/** The device's key, or the one that an enrolment brings along. */
function keyOf({ device }: VectorFile, { jws }: Vector): JWK | undefined {
  try {
    return device?.publicKey ?? decodeProtectedHeader(jws).jwk;
  } catch {
    return undefined;
  }
}

async function joseVerifies(jws: string, key: JWK | undefined): Promise<boolean> {
  try {
    const { kty, crv, x, y } = key ?? {};
    await compactVerify(jws, await importJWK({ kty, crv, x, y } as JWK, 'ES256'), { algorithms: ['ES256'] });
    return true;
  } catch {
    return false;
  }
}

function jsonwebtokenVerifies(jws: string, key: JWK | undefined): boolean {
  try {
    const options = {
      algorithms: ['ES256'],
      ignoreExpiration: true,
      ignoreNotBefore: true,
      complete: true,
    } as const;
    jsonwebtoken.verify(jws, createPublicKey({ key: { ...key }, format: 'jwk' }), options);
    return true;
  } catch {
    return false;
  }
}

/** Texts that a library may forgive, although they are not the compact form. */
const respelt = ['a line end', 'base64url with padding', 'a signature whose unused bits are not zero'];

describe.each(messageKinds)('%s', (kind) => {
  const file = messageFile(kind);
  const named = (vectors: Vector[]) => vectors.map((vector) => [vector.name, vector] as const);

  test.each(named(file.vectors.filter(({ name }) => !respelt.includes(name))))(
    'has a signature that both libraries judge as stated: "%s"',
    async (_, vector) => {
      const key = keyOf(file, vector);
      const verified = [await joseVerifies(vector.jws, key), jsonwebtokenVerifies(vector.jws, key)];
      expect(verified).toEqual([vector.signatureIsValid, vector.signatureIsValid]);
    },
  );

  test.each(named(file.vectors.filter(isGood)))(
    'is accepted by both libraries at its time: "%s"',
    async (_, vector) => {
      const key = keyOf(file, vector) as DeviceKey;
      const reading = { type: file.typ, audience: file.baseUrl, key, now: serviceTimeOf(vector) };
      expect(await acceptedBy(vector.jws, reading)).toEqual({ jose: true, jsonwebtoken: true });
    },
  );
});
