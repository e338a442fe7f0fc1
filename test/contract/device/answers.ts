import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { postAnswer } from '../../../tools/client/device/device-api.ts';
import type { Deviation } from '../../../tools/client/device/simulated-device.ts';
import type { DeviceKey } from '../../../core/devices/device-key.ts';
import { acceptedBy } from '../../support/jose-libraries.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { challengedDevice, enrolDevice, expectStatus, poll, push } from '../scenario.ts';

/** Order of the group of P-256: with s, also n − s makes a valid signature. */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** Another JWS with the same content and a signature that is as valid. */
function twinOf(jws: string): string {
  const [header = '', claims = '', signature = ''] = jws.split('.');
  const hex = Buffer.from(signature, 'base64url').toString('hex');
  const twin = (order - BigInt(`0x${hex.slice(64)}`)).toString(16).padStart(64, '0');
  return `${header}.${claims}.${Buffer.from(hex.slice(0, 64) + twin, 'hex').toString('base64url')}`;
}

const invalid: [string, Deviation][] = [
  ['decision', { claims: { decision: 'maybe' } }],
  ['reason', { claims: { decision: 'deny', reason: 'bored' } }],
  ['messageHash', { claims: { messageHash: 7 } }],
];

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

  test('work from the push alone, without fetching the challenge', async () => {
    const device = await enrolDevice(stack.website);
    const { challengeId, messageHash, contextHash, nonce } = await push(stack.website, device);
    const answer = { challengeId, messageHash, contextHash, decision: 'confirm' };
    const jws = device.sign('omi-response+jws', answer);
    succeeded(await postAnswer(device.identity.baseUrl, challengeId, jws), 200);
    await expectStatus(stack.website, nonce, 'confirmed');
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

  test('are rejected if the deciding JWS has another, equivalent signature', async () => {
    const { device, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    const { baseUrl } = device.identity;
    succeeded(await postAnswer(baseUrl, challenge.challengeId, jws), 200);
    expectProblem(await postAnswer(baseUrl, challenge.challengeId, twinOf(jws)), 409, 'already-decided');
  });

  test('are rejected with 404 if the challenge is unknown', async () => {
    const device = await enrolDevice(stack.website);
    const unknown = createHash('sha256').update('unknown').digest('base64url');
    const claims = { challengeId: unknown, messageHash: unknown, decision: 'confirm' };
    const jws = device.sign('omi-response+jws', claims);
    expectProblem(await postAnswer(device.identity.baseUrl, unknown, jws), 404, 'challenge-not-found');
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

  test.each(invalid)('%s: %j is rejected with 400 and decides nothing', async (claim, deviation) => {
    const { device, sent, challenge } = await challengedDevice(stack.website);
    expectFaults(await device.confirm(challenge, deviation), `/${claim}`);
    await expectStatus(stack.website, sent.nonce, 'pending');
    succeeded(await device.confirm(challenge), 200);
  });

  test('are rejected with 415 if the content type is wrong, and the same JWS may be sent again', async () => {
    const { device, challenge } = await challengedDevice(stack.website);
    const jws = device.signAnswer(challenge, { decision: 'confirm' });
    const { baseUrl } = device.identity;
    for (const type of ['application/json', 'text/plain']) {
      const answer = await postAnswer(baseUrl, challenge.challengeId, jws, type);
      expectProblem(answer, 415, 'unsupported-media-type');
    }
    succeeded(await postAnswer(baseUrl, challenge.challengeId, jws), 200);
  });
}
