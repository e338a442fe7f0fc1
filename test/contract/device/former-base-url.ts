import { describe, expect, test } from '@jest/globals';
import { SimulatedDevice, newPushToken } from '../../../client/device/simulated-device.ts';
import { FORMER_BASE_URL, type TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, newUser, startEnrolment } from '../scenario.ts';

const audience = (aud: string) => ({ claims: { aud } });
const target = (aud: string, path: string, base = aud) => ({ claims: { aud, htu: `${base}${path}` } });
const challengesPath = '/omi/device/challenges';

/** Like a listed one, and none: the name of another host, the host with a path, another scheme, another case. */
const unlisted = ['https://former.example.attacker.example', 'http://former.example'];

export function formerBaseUrl(stack: TestStack): void {
  test('is accepted in each call of a device', async () => {
    const { device, challenge } = await challengedDevice(stack.website);
    succeeded(await device.challenges(target(FORMER_BASE_URL, challengesPath)), 200);
    succeeded(await device.refreshPushToken(newPushToken(), audience(FORMER_BASE_URL)), 204);
    succeeded(await device.confirm(challenge, audience(FORMER_BASE_URL)), 200);
    succeeded(await device.remove(target(FORMER_BASE_URL, '/omi/device')), 204);
  });

  test('is accepted in an enrolment whose code was shown before', async () => {
    const { qr } = await startEnrolment(stack.website, newUser());
    succeeded(await new SimulatedDevice().enrol(qr, audience(FORMER_BASE_URL)), 201);
  });

  describe.each(unlisted)('"%s", which is not listed,', (url) => {
    test('is refused in each call of a device', async () => {
      const { device, challenge } = await challengedDevice(stack.website);
      const { qr } = await startEnrolment(stack.website, newUser());
      const answers = [
        await device.challenges(target(url, challengesPath)),
        await device.refreshPushToken(newPushToken(), audience(url)),
        await device.confirm(challenge, audience(url)),
        await device.remove(target(url, '/omi/device')),
        await new SimulatedDevice().enrol(qr, audience(url)),
      ];
      expect(answers).toHaveLength(5);
      for (const answer of answers) expectProblem(answer, 401, 'invalid-signature');
    });
  });
}
