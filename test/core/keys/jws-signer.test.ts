import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { calculateJwkThumbprint, compactVerify, createLocalJWKSet } from 'jose';
import { publicJwkOf } from '../../../core/keys/public-jwk.ts';
import { type JwsType, JwsSigner } from '../../../core/keys/jws-signer.ts';
import { PublicKey, SigningKey } from '../../../core/keys/signing-key-client.ts';
import { kms as protocol } from '../../../tools/local/aws/protocols/services.ts';
import { createKms } from '../../../tools/local/aws/stand-ins/kms/backend.ts';
import { type Alone, clientOf, startAlone } from '../../tools/local/aws/clients.ts';

let endpoint: Alone;
let kms: KMSClient;
let keyId = '';
let key: PublicKey;
let signer: JwsSigner;

beforeAll(async () => {
  endpoint = await startAlone(protocol, createKms().backend);
  kms = new KMSClient(clientOf(endpoint.url));
  const asked = new CreateKeyCommand({ KeyUsage: 'SIGN_VERIFY', KeySpec: 'ECC_NIST_P256' });
  keyId = (await kms.send(asked)).KeyMetadata?.KeyId ?? '';
});
beforeEach(async () => {
  key = new PublicKey(kms, keyId, 'token');
  const { kid } = await new PublicKey(kms, keyId, 'token').jwk();
  signer = new JwsSigner({ kid, key: new SigningKey(kms, keyId) });
});
afterAll(async () => {
  kms.destroy();
  await endpoint.close();
});

const operations = (): string[] => endpoint.calls.list().map(({ operation }) => operation);

describe('a signed text', () => {
  test('can be verified with the published key, which its header names', async () => {
    const keySet = createLocalJWKSet({ keys: [await key.jwk()] });
    const claims = { iss: 'https://omi.example', name: 'Zoë' };
    for (const typ of ['JWT', 'at+jwt', 'omi-receipt+jwt'] satisfies JwsType[]) {
      const { protectedHeader, payload } = await compactVerify(await signer.sign(claims, { typ }), keySet);
      expect(protectedHeader).toEqual({ alg: 'ES256', typ, kid: (await key.jwk()).kid });
      expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claims);
    }
  });

  test('may be longer than a message that KMS signs', async () => {
    const keySet = createLocalJWKSet({ keys: [await key.jwk()] });
    const long = await signer.sign({ details: 'x'.repeat(8_000) }, { typ: 'at+jwt' });
    await expect(compactVerify(long, keySet)).resolves.toBeDefined();
  });

  test('cannot be verified after a change', async () => {
    const keySet = createLocalJWKSet({ keys: [await key.jwk()] });
    const [header = '', , signature = ''] = (await signer.sign({ sub: 'a' }, { typ: 'JWT' })).split('.');
    const forged = Buffer.from(JSON.stringify({ sub: 'b' })).toString('base64url');
    await expect(compactVerify(`${header}.${forged}.${signature}`, keySet)).rejects.toThrow(
      'signature verification failed',
    );
  });

  test('costs one call of KMS', async () => {
    const before = operations().length;
    await signer.sign({}, { typ: 'JWT' });
    await signer.sign({}, { typ: 'JWT' });
    expect(operations().slice(before)).toEqual(['Sign', 'Sign']);
  });
});

describe('the public key', () => {
  test('is named by its thumbprint, and has no private member', async () => {
    const jwk = await key.jwk();
    expect(jwk.kid).toBe(await calculateJwkThumbprint(jwk));
    expect(Object.keys(jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  test.each<[string, KeyPairKeyObjectResult]>([
    ['P-384', generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['secp256k1', generateKeyPairSync('ec', { namedCurve: 'secp256k1' })],
    ['Ed25519', generateKeyPairSync('ed25519')],
  ])('is rejected if it is not on P-256: %s', (_, { publicKey }) => {
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    expect(() => publicJwkOf(spki, 'token')).toThrow('A key that signs must be on P-256.');
  });

  test('is named, for receipts, by the beginning of its thumbprint', async () => {
    const { kid } = await new PublicKey(kms, keyId, 'receipt').jwk();
    expect(kid).toBe((await calculateJwkThumbprint(await key.jwk())).slice(0, 8));
  });

  test('is read once', async () => {
    const before = operations().length;
    await key.jwk();
    await key.jwk();
    expect(operations().slice(before)).toEqual(['GetPublicKey']);
  });

  test('is read again after a failure', async () => {
    endpoint.faults.add({ service: 'kms', fault: 'unavailable', times: 1 });
    await expect(key.jwk()).rejects.toMatchObject({ name: 'KMSInternalException' });
    await expect(key.jwk()).resolves.toMatchObject({ kty: 'EC' });
  });
});

test('signatures have 64 bytes, whatever the length of the numbers from KMS', async () => {
  const lengths = new Set<number>();
  for (let signed = 0; signed < 100; signed += 1) {
    const digest = createHash('sha256').update(randomBytes(8)).digest();
    lengths.add((await new SigningKey(kms, keyId).sign(digest)).length);
  }
  expect([...lengths]).toEqual([64]);
});
