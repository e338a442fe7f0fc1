import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  EmbeddedJWK,
  importJWK,
  jwtVerify,
  calculateJwkThumbprint,
} from 'jose';
import { scan } from '#device';
import { newKeyPair, SimulatedDevice } from '../../../../tools/client/device/simulated-device.ts';

const enrolled = {
  deviceId: 'device-1',
  tenantId: 'tenant-1',
  userId: 'user-1',
  tenant: 'Bank',
  receipt: 'e30.e30.AA',
};
const challenge = {
  challengeId: 'challenge-1',
  tenant: 'Bank',
  message: 'Log in?',
  messageHash: 'hash-1',
  context: '{}',
  contextHash: 'hash-2',
  createdAt: '2026-01-01T00:00:00.000Z',
  expiresAt: '2026-01-01T00:02:00.000Z',
  expiresInMs: 120_000,
  userVerification: 'off' as const,
};
const NOW = Date.parse('2026-01-01T00:00:30.000Z');

describe('a simulated device', () => {
  let server: Server;
  let qr: string;
  let device: SimulatedDevice;

  beforeAll(async () => {
    server = createServer((_, response) => {
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(enrolled));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    qr = `https://app.example.com/enrol#v=1&api=${encodeURIComponent(api)}&code=one-time`;
    device = new SimulatedDevice({ name: 'Phone' }, { clock: () => NOW });
    await device.enrol(qr);
  });

  afterAll(() => {
    server.close();
  });

  test('proves possession of the key in its enrolment', async () => {
    const jws = device.signEnrolment(scan(qr));
    const { payload, protectedHeader } = await jwtVerify(jws, EmbeddedJWK, {
      algorithms: ['ES256'],
      typ: 'omi-enrolment+jws',
      audience: scan(qr).baseUrl,
      currentDate: new Date(NOW),
    });
    expect(protectedHeader.jwk).toEqual(device.publicJwk);
    expect(payload).toMatchObject({ code: 'one-time', name: 'Phone', platform: 'fcm', iat: NOW / 1000 });
    expect(payload).toHaveProperty('jti');
    expect(payload).not.toHaveProperty('iss');
  });

  test('signs an answer in its own name', async () => {
    const jws = device.signAnswer(challenge, { decision: 'deny', reason: 'not_me' });
    const { payload, protectedHeader } = await jwtVerify(jws, await importJWK(device.publicJwk, 'ES256'), {
      issuer: 'device-1',
      subject: 'user-1',
      typ: 'omi-response+jws',
    });
    expect(protectedHeader.kid).toBe('device-1');
    expect(payload).toMatchObject({
      tid: 'tenant-1',
      challengeId: 'challenge-1',
      messageHash: 'hash-1',
      contextHash: 'hash-2',
      decision: 'deny',
      reason: 'not_me',
    });
  });

  test('binds a request to its method and URL', () => {
    const { htm, htu } = decodeJwt(device.signRequest('GET', '/omi/device/challenges'));
    expect({ htm, htu }).toEqual({ htm: 'GET', htu: `${device.identity.baseUrl}/omi/device/challenges` });
  });

  test('never uses a jti twice', () => {
    const jtis = [1, 2, 3].map(() => decodeJwt(device.signRequest('GET', '/')).jti);
    expect(new Set(jtis).size).toBe(3);
  });

  test('deviates only as requested', async () => {
    const { privateKey, publicKey } = newKeyPair();
    const jws = device.signAnswer(
      challenge,
      { decision: 'confirm' },
      {
        typ: 'other+jws',
        header: { kid: undefined, x: 1 },
        claims: { jti: undefined, sub: 'user-2', filler: 7 },
        key: privateKey,
      },
    );
    expect(decodeProtectedHeader(jws)).toEqual({ alg: 'ES256', typ: 'other+jws', x: 1 });
    expect(decodeJwt(jws)).toEqual({
      iat: NOW / 1000,
      iss: 'device-1',
      tid: 'tenant-1',
      sub: 'user-2',
      aud: device.identity.baseUrl,
      jkt: await calculateJwkThumbprint(device.publicJwk),
      challengeId: 'challenge-1',
      messageHash: 'hash-1',
      contextHash: 'hash-2',
      decision: 'confirm',
      filler: 7,
    });
    const key = await importJWK(publicKey.export({ format: 'jwk' }), 'ES256');
    await compactVerify(jws, key);
  });

  test('signs with any kind of key', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const secret = createSecretKey(Buffer.alloc(32, 1));
    const signed = (key: typeof secret | 'none') => device.signRequest('GET', '/', { key });
    await compactVerify(signed(rsa.privateKey), rsa.publicKey, { algorithms: ['RS256'] });
    await compactVerify(signed(secret), secret, { algorithms: ['HS256'] });
    expect(decodeProtectedHeader(signed('none')).alg).toBe('none');
    expect(signed('none')).toMatch(/\.$/);
  });
});
