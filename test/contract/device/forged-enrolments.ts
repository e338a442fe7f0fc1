import { expect, test } from '@jest/globals';
import { newKeyPair, SimulatedDevice, type Deviation } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { newUser, poll, pushAndConfirm, startEnrolment } from '../scenario.ts';

const other = newKeyPair();

const forgeries: Record<string, Deviation> = {
  "another key's signature": { key: other.privateKey },
  'a private jwk': { key: other.privateKey, header: { jwk: other.privateKey.export({ format: 'jwk' }) } },
  'another audience': { claims: { aud: 'https://elsewhere.example' } },
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

  test('stores only the key of a jwk that browsers export', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    const device = new SimulatedDevice();
    const jwk = { ...device.publicJwk, key_ops: ['verify'], ext: true, use: 'sig', alg: 'ES256', kid: '1' };
    succeeded(await device.enrol(qr, { header: { jwk } }), 201);
    const { nonce } = await pushAndConfirm(stack.website, device);
    expect((await poll(stack.website, nonce)).deviceKey).toEqual(device.publicJwk);
  });
}
