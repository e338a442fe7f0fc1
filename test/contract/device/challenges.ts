import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { challengeListSchema } from '../../../tools/client/contract.ts';
import { messageHashOf } from '../../../tools/client/digests.ts';
import { exchange } from '../../../tools/client/http.ts';
import { devicePaths } from '#device';
import { getChallenges } from '../../../tools/client/device/device-api.ts';
import type { Deviation } from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectProblem, expectTime, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, openChallenge, poll, push } from '../scenario.ts';

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

  test('works for a device whose clock is minutes behind', async () => {
    const device = await enrolDevice(stack.website);
    const { nonce } = await push(stack.website, device);
    const behind = Math.floor(Date.now() / 1000) - 240;
    for (const iat of [behind, behind + 1])
      expect(succeeded(await device.challenges({ claims: { iat } }), 200).challenges).toHaveLength(1);
    expectTime((await poll(stack.website, nonce)).openedAt);
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

  test('ignores a query after the signed URL', async () => {
    const device = await enrolDevice(stack.website);
    const authorization = `OMI-Device ${device.signRequest('GET', devicePaths.challenges)}`;
    const url = `${device.identity.baseUrl}${devicePaths.challenges}?since=yesterday`;
    const answer = await exchange({ method: 'GET', url, headers: { authorization } }, challengeListSchema);
    expect(succeeded(answer, 200)).toMatchObject({ challenges: [] });
  });

  test.each(Object.entries(forgeries))('rejects a request signed for %s with 401', async (_, deviation) => {
    const device = await enrolDevice(stack.website);
    expectProblem(await device.challenges(deviation), 401, 'invalid-signature');
  });

  test('needs a JWS that cannot remove the device', async () => {
    const device = await enrolDevice(stack.website);
    const headers = { authorization: `OMI-Device ${device.signRequest('GET', devicePaths.challenges)}` };
    const url = `${device.identity.baseUrl}${devicePaths.device}`;
    expectProblem(await exchange({ method: 'DELETE', url, headers }, v.unknown()), 401, 'invalid-signature');
    succeeded(await device.challenges(), 200);
  });

  test.each(['', 'a.b.c'])('rejects "%s" as proof', async (jws) => {
    expectProblem(await getChallenges(stack.file.baseUrl, jws), 401, 'invalid-signature');
  });
}
