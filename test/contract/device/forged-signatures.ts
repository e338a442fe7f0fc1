import { createSecretKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Challenge } from '../../../tools/client/contract.ts';
import { postAnswer } from '../../../tools/client/device/device-api.ts';
import { signTexts } from '../../../tools/client/device/jws.ts';
import {
  newKeyPair,
  type Deviation,
  type SimulatedDevice,
} from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, expectTime, succeeded } from '../expectations.ts';
import { challengedDevice, expectStatus } from '../scenario.ts';

const attacker = newKeyPair();
const attackerJwk = attacker.publicKey.export({ format: 'jwk' });
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The classic confusion: the public key, which everybody may know, as the secret of an HMAC. */
const publicAsSecret = ({ keys }: SimulatedDevice) =>
  createSecretKey(keys.publicKey.export({ format: 'der', type: 'spki' }));

const forgeries: Record<string, (device: SimulatedDevice) => Deviation> = {
  'another key': () => ({ key: attacker.privateKey }),
  'another key embedded in the header': () => ({ key: attacker.privateKey, header: { jwk: attackerJwk } }),
  'another key that the header links to': () => {
    return { key: attacker.privateKey, header: { jku: 'https://attacker.example/keys.json' } };
  },
  'alg none': () => ({ key: 'none' }),
  'alg none with a signature': () => ({ header: { alg: 'none' } }),
  'alg HS256 with the public key': (device) => ({ key: publicAsSecret(device) }),
  'alg RS256': () => ({ key: rsa }),
  'alg ES384': () => ({ header: { alg: 'ES384' } }),
  'alg es256 in lowercase': () => ({ header: { alg: 'es256' } }),
  'no alg': () => ({ header: { alg: undefined } }),
  'a critical header': () => ({ header: { crit: ['b64'], b64: true } }),
  'an empty crit': () => ({ header: { crit: [] } }),
  b64: () => ({ header: { b64: true } }),
  'a content type in the header': () => ({ header: { cty: 'JWT' } }),
  'a compressed payload': () => ({ header: { zip: 'DEF' } }),
  'a certificate in the header': () => ({ header: { x5c: ['MIIB'] } }),
  'its own key embedded in the header': ({ publicJwk }) => ({ header: { jwk: publicJwk } }),
  'an unknown header parameter': () => ({ header: { note: 'hello' } }),
  'an uppercase typ': () => ({ typ: 'OMI-RESPONSE+JWS' }),
  'an exp that is a string': () => ({ claims: { exp: 'tomorrow' } }),
  'an nbf that is null': () => ({ claims: { nbf: null } }),
  'the typ of a request': () => ({ typ: 'omi-request+jws' }),
  'the typ of a push token': () => ({ typ: 'omi-push-token+jws' }),
  'no typ': () => ({ header: { typ: undefined } }),
  'another audience': () => ({ claims: { aud: 'https://elsewhere.example' } }),
  'a trailing slash in the audience': (device) => ({ claims: { aud: `${device.identity.baseUrl}/` } }),
  'no audience': () => ({ claims: { aud: undefined } }),
  'no jti': () => ({ claims: { jti: undefined } }),
  'no iat': () => ({ claims: { iat: undefined } }),
  'an iat that is a string': () => ({ claims: { iat: String(Math.floor(Date.now() / 1000)) } }),
  'no kid': () => ({ header: { kid: undefined } }),
  'no iss': () => ({ claims: { iss: undefined } }),
  'an iss that differs from the kid': () => ({ claims: { iss: randomUUID() } }),
  'an unknown device': () => {
    const unknown = randomUUID();
    return { header: { kid: unknown }, claims: { iss: unknown } };
  },
  'no tid': () => ({ claims: { tid: undefined } }),
  'another tid': () => ({ claims: { tid: randomUUID() } }),
  'no sub': () => ({ claims: { sub: undefined } }),
  'another sub': () => ({ claims: { sub: 'somebody-else' } }),
};

/** Texts in place of a JWS. */
function junkOf(device: SimulatedDevice, challenge: Challenge): Record<string, string> {
  const jws = device.signAnswer(challenge, { decision: 'confirm' });
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const input = `${header}.${claims}`;
  const der = sign('sha256', Buffer.from(input), device.keys.privateKey).toString('base64url');
  const json = Buffer.from('{}').toString('base64url');
  const [headerText = '', claimsText = ''] = [header, claims].map((part) =>
    Buffer.from(part, 'base64url').toString(),
  );
  const signed = (texts: { header?: string; payload?: string }) =>
    signTexts({ header: headerText, payload: claimsText, key: device.keys.privateKey, ...texts });
  const nested = (levels: number) =>
    `{"deep":${'['.repeat(levels)}${']'.repeat(levels)},${claimsText.slice(1)}`;
  return {
    nothing: '',
    'one dot': '.',
    'three dots': '...',
    text: 'junk',
    JSON: JSON.stringify({ protected: header, payload: claims, signature }),
    'no signature': `${input}.`,
    'two parts': input,
    'four parts': `${jws}.x`,
    'a zero signature': `${input}.${Buffer.alloc(64).toString('base64url')}`,
    'a DER signature': `${input}.${der}`,
    'a signature cut short': jws.slice(0, -4),
    'other claims': `${header}.${json}.${signature}`,
    'another header': `${json}.${claims}.${signature}`,
    'claims that are no JSON': `${header}.${Buffer.from('{').toString('base64url')}.${signature}`,
    'a list as header': `${Buffer.from('[]').toString('base64url')}.${claims}.${signature}`,
    'a line end': `${jws}\n`,
    'a blank in front': ` ${jws}`,
    'a blank inside': `${header} .${claims}.${signature}`,
    'a header with alg twice': signed({ header: `{"alg":"none",${headerText.slice(1)}` }),
    'a header with an escaped alg twice': signed({ header: `{"\\u0061lg":"none",${headerText.slice(1)}` }),
    'a decision twice': signed({ payload: `{"decision":"deny",${claimsText.slice(1)}` }),
    'a decision twice, with an escape': signed({
      payload: `${claimsText.slice(0, -1)},"decisio\\u006e":"deny"}`,
    }),
    'a member twice inside': signed({ payload: `{"other":{"a":1,"a":2},${claimsText.slice(1)}` }),
    'claims of many levels': signed({ payload: nested(9) }),
    'claims of a thousand levels': signed({ payload: nested(1000) }),
    'a byte order mark': signed({ payload: `\uFEFF${claimsText}` }),
    padding: `${header}=.${claims}=.${signature}==`,
    'zero bytes': '\0'.repeat(300),
  };
}

export function forgedSignatures(stack: TestStack): void {
  test.each(Object.entries(forgeries))(
    'is rejected with 401 for %s and decides nothing',
    async (_, deviationOf) => {
      const { device, sent, challenge } = await challengedDevice(stack.website);
      expectProblem(await device.confirm(challenge, deviationOf(device)), 401, 'invalid-signature');
      await expectStatus(stack.website, sent.nonce, 'pending');
      succeeded(await device.confirm(challenge), 200);
    },
  );

  test('is rejected with 401 and decides nothing if it is not a JWS', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const codes: Record<string, unknown> = {};
    const junk = junkOf(device, challenge);
    for (const [name, body] of Object.entries(junk)) {
      const { status, body: problem } = await postAnswer(
        device.identity.baseUrl,
        challenge.challengeId,
        body,
      );
      codes[name] = [status, (problem as { code?: string }).code];
    }
    expect(codes).toEqual(
      Object.fromEntries(Object.keys(junk).map((name) => [name, [401, 'invalid-signature']])),
    );
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
  });

  test('is rejected before any costly work if it is very long', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const answer = await device.confirm(challenge, { claims: { filler: 'x'.repeat(6_000) } });
    expectProblem(answer, 413, 'too-large');
    await expectStatus(stack.website, sent.nonce, 'pending');
    const fits = await device.confirm(challenge, { claims: { filler: 'x'.repeat(5_000) } });
    succeeded(fits, 200);
  });

  test.each([-310, 75])(
    "is answered with the server's time if the device's clock is off by %i s",
    async (seconds) => {
      const { device, sent, challenge } = await challengedDevice(stack.website);
      const iat = Math.floor(Date.now() / 1000) + seconds;
      const answer = await device.confirm(challenge, { claims: { iat } });
      const { serverTime } = expectProblem(answer, 401, 'clock-skew', { serverTime: expect.any(String) });
      expectTime(serverTime);
      expect(Math.abs(Date.parse(String(serverTime)) - Date.now())).toBeLessThan(10_000);
      await expectStatus(stack.website, sent.nonce, 'pending');
      succeeded(await device.confirm(challenge), 200);
    },
  );

  test.each([-290, 45])('is accepted if the clock is off by only %i s', async (seconds) => {
    const { device, challenge } = await challengedDevice(stack.website);
    const iat = Math.floor(Date.now() / 1000) + seconds;
    succeeded(await device.confirm(challenge, { claims: { iat } }), 200);
  });

  test.each([
    ['an exp that has passed', { exp: -5 }],
    ['an nbf that is to come', { nbf: 75 }],
  ])("is answered with the server's time for %s", async (_, offsets) => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const answer = await device.confirm(challenge, { claims: inSeconds(offsets) });
    expectProblem(answer, 401, 'clock-skew', { serverTime: expect.any(String) });
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge, { claims: inSeconds({ nbf: -1, exp: 60 }) }), 200);
  });

  test('is rejected as malformed if its header is above 8 KB', async () => {
    const { device } = await challengedDevice(stack.website);
    const answer = await device.challenges({ claims: { filler: 'x'.repeat(6_000) } });
    expectProblem(answer, 401, 'invalid-signature');
  });
}

const inSeconds = (offsets: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(offsets).map(([name, offset]) => [name, Math.floor(Date.now() / 1000) + offset]),
  );
