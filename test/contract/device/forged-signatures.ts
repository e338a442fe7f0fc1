import { randomUUID } from 'node:crypto';
import { test } from '@jest/globals';
import { newKeyPair, type Deviation } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, expectStatus } from '../scenario.ts';

const attacker = newKeyPair();

/** What else is no signature: `test/core/devices/protocol/jws.test.ts`. */
const forgeries: Record<string, () => Deviation> = {
  'another key': () => ({ key: attacker.privateKey }),
  'an iss that differs from the kid': () => ({ claims: { iss: randomUUID() } }),
  'an unknown device': () => {
    const unknown = randomUUID();
    return { header: { kid: unknown }, claims: { iss: unknown } };
  },
  'another sub': () => ({ claims: { sub: 'somebody-else' } }),
};

export function forgedSignatures(stack: TestStack): void {
  test.each(Object.entries(forgeries))(
    'is rejected with 401 for %s and decides nothing',
    async (_, deviationOf) => {
      const { device, sent, challenge } = await challengedDevice(stack.website);
      expectProblem(await device.confirm(challenge, deviationOf()), 401, 'invalid-signature');
      await expectStatus(stack.website, sent.nonce, 'pending');
      succeeded(await device.confirm(challenge), 200);
    },
  );
}
