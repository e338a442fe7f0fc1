import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { BaseUrls } from '../../../core/kernel/base-urls.ts';
import { verifyProof, type ProofDeps } from '../../../core/openid/dpop.ts';

const issuer = 'https://api.example.com';
const now = Date.UTC(2026, 0, 1, 12);
const seconds = now / 1000;
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const jwk = await exportJWK(publicKey);

type Deviation = { claims?: Record<string, unknown>; header?: object; key?: typeof privateKey };

const proof = async ({ claims, header, key = privateKey }: Deviation = {}): Promise<string> =>
  await new SignJWT({ jti: randomUUID(), htm: 'POST', htu: `${issuer}/oauth/token`, iat: seconds, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk, ...header })
    .sign(key);

/** The assertions that were used are those of the test. */
function deps(): ProofDeps {
  const used = new Set<string>();
  const usedAssertions = {
    use: async ({ jti }: { jti: string }) => {
      const before = used.size;
      return await Promise.resolve(used.add(jti).size > before);
    },
  };
  return { usedAssertions, issuers: [issuer] as BaseUrls } as unknown as ProofDeps;
}

const verify = async (text: string, by = deps()) => await verifyProof(by, text, { clientId: 'shop', now });
const refused = expect.objectContaining({ code: 'invalid_dpop_proof' }) as unknown;

test('a proof for the token endpoint has the thumbprint of its key', async () => {
  const thumbprint = await calculateJwkThumbprint(jwk);
  expect(await verify(await proof())).toBe(thumbprint);
  expect(await verify(await proof({ claims: { htu: `${issuer}/oauth/token?a=b#c` } }))).toBe(thumbprint);
});

test('a proof is used once', async () => {
  const [by, once] = [deps(), await proof()];
  await verify(once, by);
  await expect(verify(once, by)).rejects.toEqual(refused);
  await verify(await proof(), by);
});

test.each([
  ['for another method', { claims: { htm: 'GET' } }],
  ['for another URL', { claims: { htu: `${issuer}/bc-authorize` } }],
  ['of more than five minutes ago', { claims: { iat: seconds - 301 } }],
  ['of more than a minute ahead', { claims: { iat: seconds + 61 } }],
  ['without jti', { claims: { jti: undefined } }],
  ['with an empty jti', { claims: { jti: '' } }],
  ['with a jti of more than 256 characters', { claims: { jti: 'a'.repeat(257) } }],
  ['of more than 8 KB', { claims: { more: 'a'.repeat(8 * 1024) } }],
  ['of another type', { header: { typ: 'JWT' } }],
  ['with critical headers', { header: { crit: ['b64'], b64: true } }],
  ['without a key', { header: { jwk: undefined } }],
  ['with the private key', { header: { jwk: await exportJWK(privateKey) } }],
  ['whose key is no point of the curve', { header: { jwk: { ...jwk, x: jwk.y } } }],
  ['whose key is no base64url', { header: { jwk: { ...jwk, x: '!' } } }],
  ['signed by another key', { key: (await generateKeyPair('ES256')).privateKey }],
] satisfies [string, Deviation][])('a proof %s is refused', async (_, deviation) => {
  await expect(verify(await proof(deviation))).rejects.toEqual(refused);
});

test.each([
  ['no JWT', 'proof'],
  ['a JWT without JSON', `${(await proof()).split('.', 1)[0]}.AAAA.AAAA`],
])('what is %s is refused', async (_, text) => {
  await expect(verify(text)).rejects.toEqual(refused);
});
