import { createSecretKey, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  newKeyPair,
  type Deviation,
  type SimulatedDevice,
} from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, expectTime, succeeded } from '../expectations.ts';
import { challengedDevice, expectStatus } from '../scenario.ts';

const attacker = newKeyPair();

/** The classic confusion: the public key, which everybody may know, as the secret of an HMAC. */
const publicAsSecret = ({ keys }: SimulatedDevice) =>
  createSecretKey(keys.publicKey.export({ format: 'der', type: 'spki' }));

const forgeries: Record<string, (device: SimulatedDevice) => Deviation> = {
  'another key': () => ({ key: attacker.privateKey }),
  'alg none': () => ({ key: 'none' }),
  'alg HS256 with the public key': (device) => ({ key: publicAsSecret(device) }),
  'a critical header': () => ({ header: { crit: ['b64'], b64: true } }),
  'the typ of a request': () => ({ typ: 'omi-request+jws' }),
  'another audience': () => ({ claims: { aud: 'https://elsewhere.example' } }),
  'an iss that differs from the kid': () => ({ claims: { iss: randomUUID() } }),
  'an unknown device': () => {
    const unknown = randomUUID();
    return { header: { kid: unknown }, claims: { iss: unknown } };
  },
  'another tid': () => ({ claims: { tid: randomUUID() } }),
  'another sub': () => ({ claims: { sub: 'somebody-else' } }),
};

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
}

const inSeconds = (offsets: Record<string, number>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(offsets).map(([name, offset]) => [name, Math.floor(Date.now() / 1000) + offset]),
  );
