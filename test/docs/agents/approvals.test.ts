/** The check of approval tokens that docs/agents.md shows, with tokens that an attacker may have. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { approvalsFrom, NotApproved } from '../../../docs/examples/approved-payments/approvals.ts';
import { detailOf } from '../../../docs/examples/approved-payments/payment.ts';

type Key = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
type Claims = Record<string, unknown>;
type KeySet = Parameters<typeof createLocalJWKSet>[0];

const issuer = 'https://omi.example.org';
const tenantId = '5b1f0c7e-3d2a-4c8b-9e6f-1a2b3c4d5e6f';
const audience = 'https://payments.example.org';
const payment = { to: 'Café Zoë', amount: '16.00', currency: 'EUR' } as const;
const detail = detailOf(payment);
const now = Math.floor(Date.now() / 1000);
const kid = 'signing-key';

let key: Key;
let otherKey: Key;
let keySet: KeySet;
beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  key = pair.privateKey;
  otherKey = (await generateKeyPair('ES256')).privateKey;
  keySet = { keys: [{ ...(await exportJWK(pair.publicKey)), kid, alg: 'ES256', use: 'sig' }] };
});

const claims = (): Claims => ({
  iss: issuer,
  aud: audience,
  sub: 'user-1',
  tid: tenantId,
  jti: crypto.randomUUID(),
  iat: now,
  exp: now + 600,
  authorization_details: [detail, { type: 'reason_of_the_agent', text: 'You asked me to book a table.' }],
});

async function tokenWith(changes: Claims = {}, header: object = {}, signer = key): Promise<string> {
  const protectedHeader = { alg: 'ES256', typ: 'at+jwt', kid, ...header };
  return await new SignJWT({ ...claims(), ...changes }).setProtectedHeader(protectedHeader).sign(signer);
}

function usedOnce(): (tokenId: string) => Promise<boolean> {
  const used = new Set<string>();
  return async (tokenId) => await Promise.resolve(!used.has(tokenId) && !!used.add(tokenId));
}

const resourceServer = (changes: Partial<Parameters<typeof approvalsFrom>[0]> = {}) =>
  approvalsFrom({
    issuer,
    tenantId,
    audience,
    use: usedOnce(),
    keys: createLocalJWKSet(keySet),
    ...changes,
  });

async function refusal(token: string, wanted: { type: string } = detail): Promise<number> {
  const error = await resourceServer()(token, wanted).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(NotApproved);
  return (error as NotApproved).status;
}

test('an approved action is executed for the user who approved it', async () => {
  await expect(resourceServer()(await tokenWith(), detail)).resolves.toEqual({ userId: 'user-1' });
});

test('the order of members does not matter', async () => {
  const { type, to, amount, currency } = detail;
  const token = await tokenWith({ authorization_details: [{ currency, amount, to, type }] });
  await expect(resourceServer()(token, detail)).resolves.toEqual({ userId: 'user-1' });
});

describe('a request', () => {
  test.each([
    ['in the payee', { ...payment, to: 'Mallory' }],
    ['in the amount', { ...payment, amount: '1600.00' }],
    ['in the currency', { ...payment, currency: 'USD' as const }],
  ])('is rejected if it differs from the approval %s', async (_, other) => {
    expect(await refusal(await tokenWith(), detailOf(other))).toBe(403);
  });

  test.each<[string, unknown]>([
    ['has one member more than the payment', [{ ...detail, urgent: true }]],
    ['has one member fewer', [{ ...detail, to: undefined }]],
    ['has two payments', [detail, { ...detail, amount: '5.00' }]],
    ['has the same payment twice', [detail, detail]],
    ['has no payment', [{ type: 'reason_of_the_agent', text: 'Pay 16.00 EUR to Café Zoë' }]],
    ['has nothing', undefined],
    ['has a string in place of a list', JSON.stringify([detail])],
    ['has entries that are not objects', [null, 'payment', 5]],
  ])("is rejected if the token's approval %s", async (_, details) => {
    expect(await refusal(await tokenWith({ authorization_details: details }))).toBe(403);
  });
});

describe('a token', () => {
  test('works once', async () => {
    const approve = resourceServer();
    const token = await tokenWith();
    await approve(token, detail);
    await expect(approve(token, detail)).rejects.toMatchObject({ status: 403 });
  });

  test('works once even for parallel callers', async () => {
    const approve = resourceServer();
    const token = await tokenWith();
    const all = await Promise.allSettled(Array.from({ length: 8 }, async () => await approve(token, detail)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is not used up by a request for something else', async () => {
    const approve = resourceServer();
    const token = await tokenWith();
    await expect(approve(token, detailOf({ ...payment, to: 'Mallory' }))).rejects.toThrow();
    await expect(approve(token, detail)).resolves.toBeDefined();
  });

  test('is kept as used until it expires', async () => {
    const seen: Date[] = [];
    const use = async (_: string, expiresAt: Date): Promise<boolean> =>
      await Promise.resolve(seen.push(expiresAt) === 1);
    await resourceServer({ use })(await tokenWith(), detail);
    expect(seen).toEqual([new Date((now + 600) * 1000)]);
  });

  test.each<[string, Claims, object]>([
    ['from another issuer', { iss: 'https://omi.example.com' }, {}],
    ['for another resource server', { aud: 'https://other.example.org' }, {}],
    ['from another tenant', { tid: '00000000-0000-4000-8000-000000000000' }, {}],
    ['without a tenant', { tid: undefined }, {}],
    ['after it has expired', { exp: now - 1 }, {}],
    ['without an expiry', { exp: undefined }, {}],
    ['without an id', { jti: undefined }, {}],
    ['without a user', { sub: undefined }, {}],
    ['if it is an ID token', {}, { typ: 'JWT' }],
    ['if it is a device’s answer', {}, { typ: 'omi-response+jws' }],
    ['without a type', {}, { typ: undefined }],
    ['with an unknown key', {}, { kid: 'other' }],
  ])('is rejected %s', async (_, changes, header) => {
    expect(await refusal(await tokenWith(changes, header))).toBe(401);
  });

  test("is rejected if another key signed it under the right key's name", async () => {
    expect(await refusal(await tokenWith({}, {}, otherKey))).toBe(401);
  });

  test.each(['none', 'HS256', 'RS256'])('is rejected if its header says %s', async (alg) => {
    const [, body = '', signature = ''] = (await tokenWith()).split('.');
    const header = Buffer.from(JSON.stringify({ alg, typ: 'at+jwt', kid })).toString('base64url');
    expect(await refusal(`${header}.${body}.${signature}`)).toBe(401);
    expect(await refusal(`${header}.${body}.`)).toBe(401);
  });

  test('is rejected if it uses another algorithm, even with a known key', async () => {
    const rsa = await generateKeyPair('RS256');
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(rsa.publicKey)), kid: 'rsa' }] });
    const token = await tokenWith({}, { alg: 'RS256', kid: 'rsa' }, rsa.privateKey);
    await expect(resourceServer({ keys })(token, detail)).rejects.toMatchObject({ status: 401 });
  });

  test('is rejected if its payload was changed', async () => {
    const [header = '', , signature = ''] = (await tokenWith()).split('.');
    const body = Buffer.from(
      JSON.stringify({ ...claims(), authorization_details: [{ ...detail, to: 'Mallory' }] }),
    );
    expect(await refusal(`${header}.${body.toString('base64url')}.${signature}`)).toBe(401);
  });

  test.each(['', 'x', 'a.b.c'])('is rejected if it is %j', async (text) => {
    expect(await refusal(text)).toBe(401);
  });
});

describe('the keys', () => {
  async function withKeys(status: number, work: (url: string, asked: () => number) => Promise<void>) {
    let asked = 0;
    const server = createServer((request, response) => {
      asked += Number(request.url === '/oauth/jwks');
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(keySet));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => asked);
    } finally {
      server.close();
    }
  }

  test('are fetched once for many tokens', async () => {
    await withKeys(200, async (url, asked) => {
      const approve = resourceServer({ issuer: url, keys: undefined });
      for (let count = 0; count < 3; count++) await approve(await tokenWith({ iss: url }), detail);
      expect(asked()).toBe(1);
    });
  });

  test('say nothing about the token if they cannot be read, so it is not rejected', async () => {
    await withKeys(503, async (url) => {
      const error = await resourceServer({ issuer: url, keys: undefined })(
        await tokenWith({ iss: url }),
        detail,
      ).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(NotApproved);
    });
  });
});
