import { expect, test } from '@jest/globals';
import { messageHashOf } from '../../../client/digests.ts';
import { devicePaths } from '#device';
import { getChallenges } from '../../../client/device/device-api.ts';
import type { Deviation } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, openChallenge, push } from '../scenario.ts';

const members = [
  ...['challengeId', 'tenant', 'message', 'messageHash', 'context', 'contextHash'],
  ...['createdAt', 'expiresAt', 'expiresInMs'],
];

export function challenges(stack: TestStack): void {
  const forgeries: Record<string, Deviation> = {
    'another method': { claims: { htm: 'DELETE' } },
    'another path': { claims: { htu: 'https://elsewhere.example/omi/device/challenges' } },
    'the type of an answer': { typ: 'omi-response+jws' },
  };

  test('rejects a captured request, and the device then signs a new one', async () => {
    const device = await enrolDevice(stack.website);
    const capture = () => device.signRequest('GET', devicePaths.challenges);
    const replay = async (jws: string) => await getChallenges(device.identity.baseUrl, jws);
    const jws = capture();
    succeeded(await replay(jws), 200);
    succeeded(await replay(jws), 200);
    await push(stack.website, device);
    const used = capture();
    expect(succeeded(await replay(used), 200).challenges).toHaveLength(1);
    expect(expectProblem(await replay(used), 409, 'stale-request').detail).toContain('Sign a new one');
    expect(succeeded(await device.challenges(), 200).challenges).toHaveLength(1);
  });

  test('returns what the user decides about', async () => {
    const device = await enrolDevice(stack.website);
    const sent = await push(stack.website, device, { message: 'Log in? 🔐', expiresIn: 90 });
    const answer = await device.challenges();
    const list = succeeded(answer, 200);
    expectMembers(list, ['challenges', 'push']);
    expect(list.challenges).toHaveLength(1);
    const [challenge] = list.challenges;
    expectMembers(challenge ?? {}, members);
    expect(challenge).toMatchObject({
      challengeId: sent.challengeId,
      message: 'Log in? 🔐',
      messageHash: messageHashOf('Log in? 🔐'),
      createdAt: sent.createdAt,
      expiresAt: sent.expiresAt,
    });
    expect(challenge?.expiresInMs).toBeLessThanOrEqual(90_000);
    expect(challenge?.expiresInMs).toBeGreaterThan(80_000);
    expect(answer.text).not.toContain(sent.nonce);
  });

  test('returns nothing to another device, even of the same user', async () => {
    const userId = newUser();
    const device = await enrolDevice(stack.website, userId);
    await push(stack.website, device);
    for (const other of [await enrolDevice(stack.website, userId), await enrolDevice(stack.website)])
      expect(succeeded(await other.challenges(), 200)).toMatchObject({ challenges: [] });
    await openChallenge(device);
  });

  test.each(Object.entries(forgeries))('rejects a request signed for %s with 401', async (_, deviation) => {
    const device = await enrolDevice(stack.website);
    expectProblem(await device.challenges(deviation), 401, 'invalid-signature');
  });

  test.each(['', 'a.b.c'])('rejects "%s" as proof', async (jws) => {
    expectProblem(await getChallenges(stack.file.baseUrl, jws), 401, 'invalid-signature');
  });
}
