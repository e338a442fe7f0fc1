/** What the messages say, as another JOSE library reads them. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  importJWK,
  jwtVerify,
} from 'jose';
import {
  assertionChallenge,
  base64url,
  Device,
  registrationChallenge,
  WebCryptoKey,
  type Answer,
  type Challenge,
} from '#device';
import { messageHashOf } from '../../../client/digests.ts';
import { json, messagesOf, ScriptedService } from '../support/scripted-service.ts';

const now = Date.parse('2026-05-01T12:00:00.250Z');
const service = new ScriptedService();
const baseUrl = 'https://api.example.com/prod';
const ids = { deviceId: 'device-1', tenantId: 'tenant-1', userId: 'user-1' };
const identity = { baseUrl, ...ids, tenant: 'Bank' };
const own = { iss: 'device-1', tid: 'tenant-1', sub: 'user-1' };
const common = { iat: Math.floor(now / 1000), aud: baseUrl, jkt: '', ...own };
let key: WebCryptoKey;
let device: Device;

beforeAll(async () => {
  await service.start();
  key = await WebCryptoKey.generate();
  common.jkt = await calculateJwkThumbprint(key.publicKey);
  device = new Device({ identity, key, endpoint: service.url, now: () => now });
});
afterAll(async () => {
  await service.stop();
});

const details = '[{"type":"payment","amount":"12.50 €"}]';
const context = '{"userVerification":"off"}';
const challenge: Challenge = {
  challengeId: 'challenge-1',
  tenant: 'Bank',
  message: 'Pay 12.50 €?',
  messageHash: messageHashOf('Pay 12.50 €?'),
  context,
  contextHash: messageHashOf(context),
  createdAt: '2026-05-01T12:00:00.000Z',
  expiresAt: '2026-05-01T12:02:00.000Z',
  expiresInMs: 120_000,
};
const withDetails = { ...challenge, details, detailsHash: messageHashOf(details) };
const subscription = {
  endpoint: 'https://push.example/1',
  expirationTime: null,
  keys: { p256dh: 'BA', auth: 'AA', other: 'x' },
};
const pushed = { endpoint: 'https://push.example/1', keys: { p256dh: 'BA', auth: 'AA' } };
const verification = { id: 'id', authenticatorData: 'AA', clientDataJSON: 'e30', signature: 'MA' };

/** Makes the call, and verifies what was sent. */
async function sentBy(status: number, body: unknown, call: () => Promise<unknown>) {
  service.reply(json(status, body));
  await call();
  const [jws = ''] = messagesOf(service);
  await compactVerify(jws, await importJWK(key.publicKey, 'ES256'), { algorithms: ['ES256'] });
  const { jti, ...claims } = decodeJwt(jws);
  expect(jti).toMatch(/^[\da-f-]{36}$/);
  return { header: decodeProtectedHeader(jws), claims, request: service.requests[0] };
}

describe('an enrolment', () => {
  test('proves possession of the key', async () => {
    const passkey = { id: 'id', publicKey: key.publicKey, authenticatorData: 'AA', clientDataJSON: 'e30' };
    const description = { name: 'Laptop', platform: 'web', subscription, model: 'X', passkey } as const;
    const options = { key, endpoint: service.url, now: () => now };
    const { baseUrl: _, ...enrolled } = identity;
    const { header, claims, request } = await sentBy(201, { ...enrolled, more: 1 }, async () => {
      const made = await Device.enrol({ baseUrl, code: 'one-time' }, description, options);
      expect(made.identity).toEqual(identity);
    });
    expect(header).toEqual({ alg: 'ES256', typ: 'omi-enrolment+jws', jwk: key.publicKey });
    const { iat, aud, jkt } = common;
    expect(claims).toEqual({
      iat,
      aud,
      jkt,
      code: 'one-time',
      name: 'Laptop',
      platform: 'web',
      subscription: pushed,
      model: 'X',
      passkey,
    });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/omi/device/enrolments',
      type: 'application/jose',
    });
    await jwtVerify(request?.body ?? '', EmbeddedJWK, { currentDate: new Date(now), audience: baseUrl });
  });
});

describe('a call of the device', () => {
  const own = (typ: string) => ({ alg: 'ES256', typ, kid: 'device-1' });

  test('is bound to method and URL when it gets challenges, whatever its path', async () => {
    const { header, claims, request } = await sentBy(
      200,
      { challenges: [] },
      async () => await device.challenges(),
    );
    expect(header).toEqual(own('omi-request+jws'));
    expect(claims).toEqual({ ...common, htm: 'GET', htu: `${baseUrl}/omi/device/challenges` });
    expect(request).toMatchObject({ method: 'GET', path: '/omi/device/challenges', body: '' });
  });

  test.each([
    { decision: 'confirm' },
    { decision: 'confirm', number: '42', userVerification: verification },
    { decision: 'deny' },
    { decision: 'deny', reason: 'not_me' },
  ] satisfies Answer[])('signs the answer %j', async (answer) => {
    for (const asked of [challenge, withDetails] as Challenge[]) {
      const { header, claims, request } = await sentBy(
        200,
        { status: 'x' },
        async () => await device.answer(asked, answer),
      );
      expect(header).toEqual(own('omi-response+jws'));
      const { challengeId, messageHash, contextHash, detailsHash } = asked;
      const bound = {
        challengeId,
        messageHash,
        contextHash,
        ...(detailsHash !== undefined && { detailsHash }),
      };
      expect(claims).toEqual({ ...common, ...bound, ...answer });
      expect(request).toMatchObject({ method: 'POST', path: '/omi/device/challenges/challenge-1/response' });
    }
  });

  test.each([
    [{ pushToken: 'token-123' }, { pushToken: 'token-123' }],
    [{ subscription }, { subscription: pushed }],
  ])('registers where pushes are sent: %j', async (address, told) => {
    const fresh = new Device({ identity, key, endpoint: service.url, now: () => now });
    const { header, claims, request } = await sentBy(204, '', async () => {
      await fresh.refreshPushToken(address);
    });
    expect(header).toEqual(own('omi-push-token+jws'));
    expect(claims).toEqual({ ...common, ...told });
    expect(request).toMatchObject({
      method: 'PUT',
      path: '/omi/device/push-token',
      type: 'application/jose',
    });
  });

  test('has the new name of the device', async () => {
    const { header, claims, request } = await sentBy(204, '', async () => {
      await device.rename('Kitchen');
    });
    expect(header).toEqual(own('omi-device-name+jws'));
    expect(claims).toEqual({ ...common, name: 'Kitchen' });
    expect(request).toMatchObject({ method: 'PUT', path: '/omi/device/name', type: 'application/jose' });
  });

  test('is bound to method and URL when it removes the device', async () => {
    const { claims, request } = await sentBy(204, '', async () => {
      await device.unregister();
    });
    expect(claims).toEqual({ ...common, htm: 'DELETE', htu: `${baseUrl}/omi/device` });
    expect(request).toMatchObject({ method: 'DELETE', path: '/omi/device' });
  });

  test('has its own jti', async () => {
    service.reply(json(200, { challenges: [] }), json(200, { challenges: [] }));
    await device.challenges();
    await device.challenges();
    const [first, second] = messagesOf(service).map((jws) => decodeJwt(jws).jti);
    expect(first).not.toBe(second);
  });
});

describe("a passkey's challenge", () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

  test('binds challenge, message, context and decision, and details if there are any', async () => {
    const { challengeId, messageHash, contextHash } = challenge;
    const shown = `${challengeId}.${messageHash}.${contextHash}`;
    expect(base64url(await assertionChallenge(challenge, 'confirm'))).toBe(sha256(`${shown}.confirm`));
    expect(base64url(await assertionChallenge(withDetails, 'confirm'))).toBe(
      sha256(`${shown}.confirm.${withDetails.detailsHash}`),
    );
  });

  test('is the hash of the code in a registration', async () => {
    expect(base64url(await registrationChallenge('one-time'))).toBe(sha256('one-time'));
  });
});

describe('a key of WebCrypto', () => {
  test('cannot be exported, unless requested', async () => {
    expect(key.keyPair.privateKey.extractable).toBe(false);
    const open = await WebCryptoKey.generate({ extractable: true });
    expect(open.keyPair.privateKey.extractable).toBe(true);
  });

  test('exports only its public part', async () => {
    const open = await WebCryptoKey.generate({ extractable: true });
    expect(Object.keys(open.publicKey).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    const again = await WebCryptoKey.from(open.keyPair);
    expect(again.publicKey).toEqual(open.publicKey);
  });

  test.each([undefined, {}])('states what is missing on a page without https: %j', async (crypto) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto') ?? {};
    Object.defineProperty(globalThis, 'crypto', { configurable: true, value: crypto });
    try {
      await expect(WebCryptoKey.generate()).rejects.toMatchObject({
        code: 'no-web-crypto',
        message: expect.stringContaining('https'),
      });
    } finally {
      Object.defineProperty(globalThis, 'crypto', own);
    }
  });
});
