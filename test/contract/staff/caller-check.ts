import { beforeAll, expect, test } from '@jest/globals';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, openChallenge } from '../scenario.ts';
import { actsOf, type Desk, openDesk } from './desk.ts';

const numberIn = (message: string): string => /\d{3} \d{3}/.exec(message)?.[0] ?? '';

export function callerCheck(stack: TestStack): void {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk(stack);
  });

  async function asked() {
    const device = await enrolDevice(stack.website);
    const { userId } = device.identity;
    const { demoTenant: tenantId } = desk;
    const answer = await desk.sam.post(`/users/${userId}/checks`, { tenantId });
    const check = succeeded(answer, 202);
    const challenge = await openChallenge(device);
    const path = `/users/${userId}/checks/${String(check['checkId'])}`;
    return {
      ...{ device, userId, challenge, check, text: answer.text, number: numberIn(challenge.message) },
      look: async () => succeeded(await desk.sam.get(`${path}?tenantId=${tenantId}`), 200),
      compare: async (number: string) => await desk.sam.post(`${path}/number`, { tenantId, number }),
    };
  }

  test('the caller reads out the number of the device, which the member never sees', async () => {
    const { device, userId, challenge, check, text, number, look, compare } = await asked();
    expect(check).toMatchObject({ status: 'pending', comparison: 'waiting', isCaller: false });
    expect(text).not.toContain(number.replace(' ', ''));
    expect(succeeded(await compare(number), 200)).toMatchObject({ comparison: 'matches', isCaller: false });
    succeeded(await device.confirm(challenge), 200);
    expect(await look()).toMatchObject({ status: 'confirmed', isCaller: true });
    expect(await actsOf(stack, { tenantId: desk.demoTenant, userId }, 'sam')).toEqual([
      'StaffCallerCheckedEvent',
      'StaffNumberComparedEvent',
    ]);
  });

  test('three wrong numbers end it, and the right one comes too late', async () => {
    const { device, challenge, number, look, compare } = await asked();
    const wrong = number === '000 000' ? '000001' : '000000';
    for (const left of [2, 1, 0])
      expect(succeeded(await compare(wrong), 200)).toMatchObject({ triesLeft: left, isCaller: false });
    expectProblem(await compare(number), 409, 'already-decided');
    succeeded(await device.confirm(challenge), 200);
    expect(await look()).toMatchObject({ status: 'confirmed', comparison: 'wrong', isCaller: false });
  });

  test('a user who sees the check of a stranger reports it from the device', async () => {
    const { device, challenge, number, look, compare } = await asked();
    succeeded(await device.deny(challenge, 'not_me'), 200);
    expect(await look()).toMatchObject({ status: 'denied', reason: 'not_me', isCaller: false });
    expectProblem(await compare(number), 409, 'already-decided');
  });
}
