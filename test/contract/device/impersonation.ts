import { test } from '@jest/globals';
import { postAnswer } from '../../../client/device/device-api.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, enrolDevice, expectStatus } from '../scenario.ts';

export function impersonation(stack: TestStack): void {
  test("fails for the user's other device", async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const other = await enrolDevice(stack.website, device.identity.userId);
    expectProblem(await other.confirm(challenge), 404, 'challenge-not-found');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  test("fails for another user's device", async () => {
    const { sent, challenge } = await challengedDevice(stack.website);
    const other = await enrolDevice(stack.website);
    expectProblem(await other.confirm(challenge), 404, 'challenge-not-found');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  test("fails for another tenant's device, even if the user ids are equal", async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const other = await enrolDevice(stack.neighbour, device.identity.userId);
    expectProblem(await other.confirm(challenge), 404, 'challenge-not-found');
    const claims = { tid: device.identity.tenantId };
    expectProblem(await other.confirm(challenge, { claims }), 401, 'invalid-signature');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });

  test("fails with another device's id, which needs that device's key", async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const other = await enrolDevice(stack.website, device.identity.userId);
    const { deviceId } = device.identity;
    const named = { header: { kid: deviceId }, claims: { iss: deviceId } };
    expectProblem(await other.confirm(challenge, named), 401, 'invalid-signature');
    const half = { header: { kid: deviceId } };
    expectProblem(await other.confirm(challenge, half), 401, 'invalid-signature');
    expectProblem(await other.challenges(named), 401, 'invalid-signature');
    expectProblem(await other.refreshPushToken('stolen-pushes', named), 401, 'invalid-signature');
    expectProblem(await other.remove(named), 401, 'invalid-signature');
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
  });

  test('fails with a signed answer of another device', async () => {
    const { device, challenge } = await challengedDevice(stack.website);
    const second = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    const { baseUrl } = device.identity;
    const { challengeId } = second.challenge;
    expectProblem(await postAnswer(baseUrl, challengeId, jws), 404, 'challenge-not-found');
    await expectStatus(stack.website, second.sent.nonce, 'pending');
  });
}
