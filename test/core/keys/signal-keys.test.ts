import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { KMSClient } from '@aws-sdk/client-kms';
import { describe, expect, test } from '@jest/globals';
import { RsaSigningKey, type RsaJwk } from '../../../core/keys/rsa-signing-key-client.ts';
import { keyIdsIn, kidOfKeyId } from '../../../core/keys/signal-keys.ts';
import { signalKeySet } from '../../../core/signals/signal-key-set.ts';

const spkiOf = (pair: { publicKey: KeyObject }): Buffer =>
  pair.publicKey.export({ type: 'spki', format: 'der' });

/** A KMS whose calls all answer this. */
const kmsWith = (answer: object): KMSClient =>
  ({ send: async () => await Promise.resolve(answer) }) as unknown as KMSClient;

describe('a key for signals', () => {
  test('is published as an RSA key for RS256', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n, e } = pair.publicKey.export({ format: 'jwk' });
    const jwk = await new RsaSigningKey(kmsWith({ PublicKey: spkiOf(pair) }), 'a').jwk('name');
    expect(jwk).toEqual({ kty: 'RSA', n, e, use: 'sig', alg: 'RS256', kid: 'name' });
  });

  test('is no key on a curve', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = new RsaSigningKey(kmsWith({ PublicKey: spkiOf(pair) }), 'a');
    await expect(key.jwk('name')).rejects.toThrow('must be an RSA key');
  });

  test('a key or signature that KMS does not answer with is an error', async () => {
    const key = new RsaSigningKey(kmsWith({}), 'a');
    await expect(key.jwk('name')).rejects.toThrow('public key');
    await expect(key.sign(Buffer.alloc(32))).rejects.toThrow('signature');
  });

  test('has a name that does not tell its id', () => {
    const [first, second] = keyIdsIn('mrk-1,mrk-2');
    expect(kidOfKeyId(first)).toMatch(/^[A-Za-z0-9_-]{16}$/);
    expect(kidOfKeyId(first)).not.toBe(kidOfKeyId(second ?? ''));
    expect(kidOfKeyId(first)).not.toContain('mrk');
  });
});

describe('the keys that verify signals', () => {
  const jwkOf = (kid: string): RsaJwk => ({ kty: 'RSA', n: 'n', e: 'e', use: 'sig', alg: 'RS256', kid });

  test('are all that are named, each read once', async () => {
    let reads = 0;
    const key = {
      jwk: async (kid: string) => {
        reads += 1;
        return await Promise.resolve(jwkOf(kid));
      },
    };
    const keys = signalKeySet(['a', 'b'].map((keyId) => ({ keyId, key })));
    expect((await keys()).map(({ kid }) => kid)).toEqual([kidOfKeyId('a'), kidOfKeyId('b')]);
    await keys();
    expect(reads).toBe(2);
  });

  test('are read again after a failure', async () => {
    const answers = [() => Promise.reject(new Error('throttled')), () => Promise.resolve(jwkOf('k'))];
    const key = { jwk: async () => (await answers.shift()?.()) ?? jwkOf('k') };
    const keys = signalKeySet([{ keyId: 'a', key }]);
    await expect(keys()).rejects.toThrow('throttled');
    expect(await keys()).toHaveLength(1);
  });
});
