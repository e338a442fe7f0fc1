import { createSecretKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { postEnrolment } from '../../../tools/client/device/device-api.ts';
import { scan } from '#device';
import { signTexts } from '../../../tools/client/device/jws.ts';
import {
  newKeyPair,
  SimulatedDevice,
  type Deviation,
} from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, expectTime, succeeded } from '../expectations.ts';
import { newUser, poll, pushAndConfirm, startEnrolment } from '../scenario.ts';

const other = newKeyPair();
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const jwkOf = (key: typeof other.publicKey) => key.export({ format: 'jwk' });

const forgeries: Record<string, Deviation> = {
  "another key's signature": { key: other.privateKey },
  "another key's jwk": { header: { jwk: jwkOf(other.publicKey) } },
  'no jwk': { header: { jwk: undefined } },
  'a private jwk': { key: other.privateKey, header: { jwk: jwkOf(other.privateKey) } },
  'a P-384 key': { key: p384.privateKey, header: { jwk: jwkOf(p384.publicKey) } },
  'an RSA key': { key: rsa.privateKey, header: { jwk: jwkOf(rsa.publicKey) } },
  'a symmetric jwk': {
    key: createSecretKey(Buffer.from('secret')),
    header: { jwk: { kty: 'oct', k: Buffer.from('secret').toString('base64url') } },
  },
  'a point that is not on the curve': {
    header: { jwk: { ...jwkOf(other.publicKey), y: jwkOf(newKeyPair().publicKey).y } },
  },
  'a jwk that is a string': { header: { jwk: 'key' } },
  'a jwk for encryption': { header: { jwk: { ...jwkOf(newKeyPair().publicKey), use: 'enc' } } },
  'the algorithm none': { key: 'none' },
  'another typ': { typ: 'omi-response+jws' },
  'typ JWT': { typ: 'JWT' },
  'no typ': { header: { typ: undefined } },
  'a critical header': { header: { crit: ['exp'], exp: 1 } },
  'another audience': { claims: { aud: 'https://elsewhere.example' } },
  'no audience': { claims: { aud: undefined } },
  'no jti': { claims: { jti: undefined } },
  'no iat': { claims: { iat: undefined } },
};

export function forgedEnrolments(stack: TestStack): void {
  test.each(Object.entries(forgeries))(
    'is rejected with 401 for %s and keeps the code usable',
    async (_, deviation) => {
      const { qr, enrolmentId } = await startEnrolment(stack.website, newUser());
      const device = new SimulatedDevice();
      expectProblem(await device.enrol(qr, deviation), 401, 'invalid-signature');
      expect(succeeded(await stack.website.getEnrolment(enrolmentId), 200)).toEqual({ status: 'waiting' });
      succeeded(await device.enrol(qr), 201);
    },
  );

  test.each([-310, 75])(
    "is answered with the server's time if the device's clock is off by %i s",
    async (seconds) => {
      const { qr } = await startEnrolment(stack.website, newUser());
      const clock = () => Date.now() + seconds * 1000;
      const answer = await new SimulatedDevice({}, { clock }).enrol(qr);
      const { serverTime } = expectProblem(answer, 401, 'clock-skew', { serverTime: expect.any(String) });
      expectTime(serverTime);
      succeeded(await new SimulatedDevice().enrol(qr), 201);
    },
  );

  test('is rejected with 401 for a duplicate jwk member and keeps the code usable', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    const device = new SimulatedDevice();
    const link = scan(qr);
    const [header = '', payload = ''] = device
      .signEnrolment(link)
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString());
    const twice = header.replace('"x":', `"x":"${String(device.publicJwk.y)}","x":`);
    const jws = signTexts({ header: twice, payload, key: device.keys.privateKey });
    expectProblem(await postEnrolment(link.baseUrl, jws), 401, 'invalid-signature');
    succeeded(await device.enrol(qr), 201);
  });

  test('stores only the key of a jwk that browsers export', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    const device = new SimulatedDevice();
    const jwk = { ...device.publicJwk, key_ops: ['verify'], ext: true, use: 'sig', alg: 'ES256', kid: '1' };
    succeeded(await device.enrol(qr, { header: { jwk } }), 201);
    const { nonce } = await pushAndConfirm(stack.website, device);
    expect((await poll(stack.website, nonce)).deviceKey).toEqual(device.publicJwk);
  });
}
