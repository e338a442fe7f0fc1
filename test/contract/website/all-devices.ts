import { expect, test } from '@jest/globals';
import { Omi } from '#website';
import type { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { demoClient, expectOAuthError } from '../ciba/oauth-client.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { noticesTo } from '../further-devices/bank.ts';
import {
  enrolDevice,
  expectStatus,
  listed,
  newUser,
  notification,
  openChallenge,
  poll,
  pushesTo,
} from '../scenario.ts';

export function allDevices(stack: TestStack): void {
  const twoPhones = async () => {
    const userId = newUser();
    const first = await enrolDevice(stack.website, userId);
    const second = await enrolDevice(stack.website, userId, { platform: 'apns' });
    return { userId, first, second };
  };
  const askBoth = async () => {
    const phones = await twoPhones();
    const asked = notification({ devices: 'all' });
    const sent = succeeded(await stack.website.sendToUser(phones.userId, asked), 202);
    return { ...phones, asked, sent };
  };
  const idOf = ({ identity }: SimulatedDevice) => identity.deviceId;

  test('reaches each of them with the same challenge, and names the one that answered', async () => {
    const { first, second, sent } = await askBoth();
    expect(new Set(sent.deviceIds)).toEqual(new Set([idOf(first), idOf(second)]));
    expect(sent.deviceId).toBeUndefined();
    const challenge = await openChallenge(first);
    expect(await openChallenge(second)).toEqual({
      ...challenge,
      expiresInMs: expect.any(Number) as unknown,
    });
    for (const phone of [first, second])
      expect(await pushesTo(stack, phone.description.pushToken)).toHaveLength(1);
    succeeded(await second.confirm(challenge), 200);
    expect(await poll(stack.website, sent.nonce)).toMatchObject({
      status: 'confirmed',
      deviceId: idOf(second),
      deviceIds: sent.deviceIds,
    });
  });

  test('is decided by the first answer, which replaces the notification of the other device', async () => {
    const { first, second, sent } = await askBoth();
    const challenge = await openChallenge(first);
    succeeded(await first.deny(challenge), 200);
    expectProblem(await second.confirm(challenge), 409, 'already-decided');
    expect((await listed(stack.website, second)).status).toBe('active');
    const [told, ...others] = await noticesTo(stack, second);
    expect(others).toEqual([]);
    expect(told?.payload).toMatchObject({ notice: 'answered', challengeId: sent.challengeId });
    expect(await noticesTo(stack, first)).toEqual([]);
    await expectStatus(stack.website, sent.nonce, 'denied', 'user_declined');
  });

  test('has no place in a path that names a device', async () => {
    const { userId, first } = await twoPhones();
    const asked = notification({ devices: 'all' });
    expectFaults(await stack.website.sendToDevice(userId, idOf(first), asked), '/devices');
    const unknown = { ...notification(), devices: 'both' } as unknown as ReturnType<typeof notification>;
    expectFaults(await stack.website.sendToUser(userId, unknown), '/devices');
  });

  test('gives evidence that the package verifies', async () => {
    const { userId, second } = await twoPhones();
    const { baseUrl, tokenUrl, tenants } = stack.file;
    const { clientId, clientSecret } = tenants[0];
    const omi = new Omi({ baseUrl, tokenUrl, clientId, clientSecret });
    const answered = await omi.confirm({
      userId,
      message: 'Pay 10 EUR?',
      devices: 'all',
      onPending: async () => succeeded(await second.confirm(await openChallenge(second)), 200),
    });
    expect(answered).toMatchObject({ status: 'confirmed', deviceId: idOf(second) });
  });

  test('can be asked by CIBA', async () => {
    const { userId, first, second } = await twoPhones();
    const client = demoClient(stack);
    const hint = (members: object) =>
      JSON.stringify({ format: 'iss_sub', iss: stack.file.baseUrl, sub: userId, ...members });
    const both = hint({ device: idOf(first), devices: 'all' });
    expectOAuthError(await client.authorize({ login_hint: both }), 'invalid_request');
    const { auth_req_id: id } = await client.start(hint({ devices: 'all' }));
    succeeded(await second.confirm(await openChallenge(second)), 200);
    expect((await client.poll(id)).body).toHaveProperty('id_token');
  });
}
