/** What the device shows besides message and details: signed, so that nobody can change it later. */
import { describe, expect, test } from '@jest/globals';
import { messageHashOf } from '../../../client/digests.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  notification,
  openChallenge,
  poll,
  push,
  tryPush,
} from '../scenario.ts';

const requestedFrom = { browser: 'Firefox on Windows', place: 'Köln', ip: '2001:db8::7' };

export function context(stack: TestStack): void {
  const readJson = (text: string): unknown => JSON.parse(text);

  test('says who asks and whether the user is verified, and the website sees the same', async () => {
    const { challenge, sent } = await challengedDevice(stack.website);
    expect(readJson(challenge.context)).toEqual({
      requester: { tenant: expect.any(String), client: expect.any(String) },
      userVerification: 'off',
    });
    expect(challenge.contextHash).toBe(messageHashOf(challenge.context));
    const { context: text, contextHash } = challenge;
    expect(sent).toMatchObject({ context: text, contextHash });
  });

  test('says purpose and origin, and stays the same to the end', async () => {
    const device = await enrolDevice(stack.website);
    const { deviceId } = device.identity;
    const asked = { purpose: 'remove-device', subjectDeviceId: deviceId, requestedFrom } as const;
    const sent = await push(stack.website, device, asked);
    expect(readJson(sent.context)).toMatchObject({
      purpose: 'remove-device',
      device: { deviceId, name: device.description.name },
      requestedFrom,
    });
    succeeded(await device.confirm(await openChallenge(device)), 200);
    const { context: text, contextHash } = await poll(stack.website, sent.nonce);
    expect({ text, contextHash }).toEqual({ text: sent.context, contextHash: sent.contextHash });
  });

  test.each<[string, unknown]>([
    ['no hash', undefined],
    ['the hash of another context', messageHashOf('{"userVerification":"off"}')],
  ])('must be signed: %s is a mismatch and decides nothing', async (_, contextHash) => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    const answers = [
      await device.confirm(challenge, { claims: { contextHash } }),
      await device.deny(challenge, 'not_me', { claims: { contextHash } }),
    ];
    for (const answer of answers) expectProblem(answer, 422, 'message-mismatch');
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
  });

  describe('the device of a removal', () => {
    test('must belong to the user', async () => {
      const device = await enrolDevice(stack.website);
      const stranger = await enrolDevice(stack.website);
      const { deviceId: subjectDeviceId } = stranger.identity;
      const answer = await tryPush(stack.website, device, { purpose: 'remove-device', subjectDeviceId });
      expectProblem(answer, 404, 'device-not-found');
      await enrolDevice(stack.website, device.identity.userId);
      const asked = notification({ purpose: 'remove-device', subjectDeviceId });
      const ofSeveral = await stack.website.sendToUser(device.identity.userId, asked);
      expectProblem(ofSeveral, 404, 'device-not-found');
    });
  });
}
