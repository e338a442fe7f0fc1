import { expect, test } from '@jest/globals';
import type { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { demoClient, expectOAuthError } from '../ciba/oauth-client.ts';
import { succeeded } from '../expectations.ts';
import { enrolDevice, newUser, notification, openChallenge, poll, pushesTo } from '../scenario.ts';

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
