import { expect, test } from '@jest/globals';
import { putPushToken } from '../../../client/device/device-api.ts';
import { newKeyPair, newPushToken, type Deviation } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, push, pushAndConfirm, pushesTo } from '../scenario.ts';

const now = () => Math.floor(Date.now() / 1000);

const forgeries: Record<string, Deviation> = {
  'another key': { key: newKeyPair().privateKey },
  'the typ of a request': { typ: 'omi-request+jws' },
  'another user': { claims: { sub: 'somebody-else' } },
};

export function pushToken(stack: TestStack): void {
  test.each(['fcm', 'apns', 'apns-sandbox'])(
    'is replaced for %s, and later pushes go to the new one',
    async (platform) => {
      const device = await enrolDevice(stack.website, newUser(), { platform });
      const [before, after] = [device.description.pushToken, newPushToken()];
      succeeded(await device.refreshPushToken(after), 204);
      expect((await push(stack.website, device)).delivery).toBe('sent');
      expect(await pushesTo(stack, before)).toEqual([]);
      expect(await pushesTo(stack, after)).toHaveLength(1);
    },
  );

  test('keeps its value and answers 409 if a JWS is not newer than the last accepted one', async () => {
    const device = await enrolDevice(stack.website);
    const kept = newPushToken();
    const iat = now() + 10;
    const jws = device.sign('omi-push-token+jws', { pushToken: kept }, { claims: { iat } });
    const { baseUrl } = device.identity;
    succeeded(await putPushToken(baseUrl, jws), 204);
    for (const seconds of [iat, iat - 1, iat - 60]) {
      const old = await device.refreshPushToken(newPushToken(), { claims: { iat: seconds } });
      expectProblem(old, 409, 'stale-request');
    }
    expectProblem(await putPushToken(baseUrl, jws), 409, 'stale-request');
    await pushAndConfirm(stack.website, device);
    expect(await pushesTo(stack, kept)).toHaveLength(1);
    const newer = newPushToken();
    succeeded(await device.refreshPushToken(newer, { claims: { iat: iat + 1 } }), 204);
    await pushAndConfirm(stack.website, device);
    expect(await pushesTo(stack, newer)).toHaveLength(1);
  });

  test('can be taken over from another device, and each device is removed alone', async () => {
    const [one, other] = [await enrolDevice(stack.website), await enrolDevice(stack.website)];
    const shared = one.description.pushToken;
    succeeded(await other.refreshPushToken(shared), 204);
    await pushAndConfirm(stack.website, other);
    succeeded(await other.remove(), 204);
    expect((await pushAndConfirm(stack.website, one)).delivery).toBe('sent');
    expect(await pushesTo(stack, shared)).toHaveLength(2);
  });

  test.each(Object.entries(forgeries))(
    'stays unchanged after a refresh with %s, answered with 401',
    async (_, deviation) => {
      const device = await enrolDevice(stack.website);
      const before = device.description.pushToken;
      expectProblem(await device.refreshPushToken(newPushToken(), deviation), 401, 'invalid-signature');
      await push(stack.website, device);
      expect(await pushesTo(stack, before)).toHaveLength(1);
    },
  );
}
