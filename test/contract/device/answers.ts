import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { postAnswer } from '../../../client/device/device-api.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { acceptedBy } from '../../support/jose-libraries.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, expectStatus, poll } from '../scenario.ts';

export function answers(stack: TestStack): void {
  test.each([
    ['confirmed', { decision: 'confirm' }],
    ['denied', { decision: 'deny' }],
  ] as const)('make the confirmation %s after %j', async (status, decision) => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, decision);
    const answer = await postAnswer(device.identity.baseUrl, challenge.challengeId, jws);
    expect(succeeded(answer, 200)).toEqual({ status });
    const { evidence, deviceKey, decidedAt } = await poll(stack.website, sent.nonce);
    expect(evidence).toBe(jws);
    const reading = {
      type: 'omi-response+jws',
      audience: device.identity.baseUrl,
      key: deviceKey as DeviceKey,
      now: Date.parse(decidedAt ?? ''),
    };
    expect(await acceptedBy(jws, reading)).toEqual({ jose: true, jsonwebtoken: true });
  });

  test('get the same response when the deciding JWS is sent again', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'deny' });
    const first = succeeded(await postAnswer(device.identity.baseUrl, challenge.challengeId, jws), 200);
    const before = await poll(stack.website, sent.nonce);
    const second = succeeded(await postAnswer(device.identity.baseUrl, challenge.challengeId, jws), 200);
    expect(second).toEqual(first);
    expect(await poll(stack.website, sent.nonce)).toEqual(before);
  });

  test('are rejected with 409 if another JWS follows the decision', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'deny' });
    succeeded(await postAnswer(device.identity.baseUrl, challenge.challengeId, jws), 200);
    expectProblem(await device.confirm(challenge), 409, 'already-decided');
    expectProblem(await device.deny(challenge), 409, 'already-decided');
    await expectStatus(stack.website, sent.nonce, 'denied', 'user_declined');
  });

  test('must name the same challenge in path and claim', async () => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const elsewhere = createHash('sha256').update('elsewhere').digest('base64url');
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    expectProblem(await postAnswer(device.identity.baseUrl, elsewhere, jws), 404, 'challenge-not-found');
    const claims = { challengeId: elsewhere };
    expectProblem(await device.confirm(challenge, { claims }), 404, 'challenge-not-found');
    await expectStatus(stack.website, sent.nonce, 'pending');
  });
}
