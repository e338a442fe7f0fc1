import { beforeAll, expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectGatewayAnswer, expectProblem, succeeded } from '../expectations.ts';
import {
  enrolDevice,
  newUser,
  openChallenge,
  push,
  pushAndConfirm,
  pushAndDeny,
  tryPush,
} from '../scenario.ts';
import { StaffCaller } from '../../support/staff.ts';
import { actsOf, type Desk, openDesk, userPath } from './desk.ts';

export function users(stack: TestStack): void {
  let desk: Desk;
  beforeAll(async () => {
    desk = await openDesk(stack);
  });

  test('a member sees devices, limits and confirmations of 14 days, and no message', async () => {
    const device = await enrolDevice(stack.website);
    const { userId, deviceId } = device.identity;
    await pushAndConfirm(stack.website, device);
    await pushAndDeny(stack.website, device, 'not_me');
    const answer = await desk.sam.get(userPath(userId, desk.demoTenant));
    const user = succeeded(answer, 200);
    expect(user).toMatchObject({
      userId,
      tenant: { tenantId: desk.demoTenant, name: 'Demo' },
      devices: [{ deviceId }],
      confirmations: [
        { status: 'denied', reason: 'not_me', deviceIds: [deviceId] },
        { status: 'confirmed', deviceIds: [deviceId] },
      ],
    });
    expect(user['limits']).toContainEqual({
      limit: 'notMe',
      counted: 1,
      allowed: 1,
      reachedUntil: expect.any(String),
    });
    expect(answer.text).not.toContain('12.50');
    expect(await actsOf(stack, { tenantId: desk.demoTenant, userId }, 'sam')).toEqual([
      'StaffUserViewedEvent',
    ]);
  });

  test("another tenant's user is refused, whether the user exists or not, and nothing is recorded", async () => {
    const { userId, deviceId } = (await enrolDevice(stack.neighbour)).identity;
    const { neighbourTenant: tenantId } = desk;
    const check = 'A'.repeat(43);
    const base = `/users/${userId}`;
    for (const refused of [
      await desk.sam.get(userPath(userId, tenantId)),
      await desk.sam.get(userPath(newUser(), tenantId)),
      await desk.sam.post(`${base}/acts`, { tenantId, act: 'suspend' }),
      await desk.sam.delete(`${base}/devices/${deviceId}?tenantId=${tenantId}`),
      await desk.sam.post(`${base}/recovery`, { tenantId }),
      await desk.sam.post(`${base}/checks`, { tenantId }),
      await desk.sam.get(`${base}/checks/${check}?tenantId=${tenantId}`),
      await desk.sam.post(`${base}/checks/${check}/number`, { tenantId, number: '123456' }),
    ])
      expectProblem(refused, 403, 'not-your-tenant');
    expect(await actsOf(stack, { tenantId }, 'sam')).toEqual([]);
    expect(succeeded(await desk.olga.get(userPath(userId, tenantId)), 200)).toMatchObject({ userId });
  });

  test('a suspended user cannot be asked, answer or enrol, until the suspension ends', async () => {
    const device = await enrolDevice(stack.website);
    const { userId } = device.identity;
    const { demoTenant: tenantId } = desk;
    await push(stack.website, device);
    const challenge = await openChallenge(device);
    const { qr } = succeeded(await stack.website.startEnrolment(userId), 201);
    const act = async (name: string) => await desk.sam.post(`/users/${userId}/acts`, { tenantId, act: name });
    succeeded(await act('suspend'), 204);
    succeeded(await act('suspend'), 204);
    expectProblem(await device.confirm(challenge), 404, 'challenge-not-found');
    expect(succeeded(await device.challenges(), 200)).toMatchObject({ challenges: [] });
    expectProblem(await tryPush(stack.website, device), 403, 'user-suspended');
    expectProblem(await new SimulatedDevice().enrol(qr), 403, 'user-suspended');
    expectProblem(await desk.sam.post(`/users/${userId}/recovery`, { tenantId }), 403, 'user-suspended');
    expect(succeeded(await desk.sam.get(userPath(userId, tenantId)), 200)).toHaveProperty('suspendedSince');
    succeeded(await act('unsuspend'), 204);
    succeeded(await device.confirm(challenge), 200);
    expect(await actsOf(stack, { tenantId, userId }, 'sam')).toEqual([
      'StaffUserSuspendedEvent',
      'StaffUserViewedEvent',
      'StaffUserResumedEvent',
    ]);
  });

  test('limits are reset once, and a device is removed, each with its event', async () => {
    const device = await enrolDevice(stack.website);
    const { userId, deviceId } = device.identity;
    const { demoTenant: tenantId } = desk;
    await pushAndDeny(stack.website, device, 'not_me');
    expectProblem(await tryPush(stack.website, device), 429, 'too-many-notifications');
    const reset = { tenantId, act: 'reset-limits' };
    succeeded(await desk.sam.post(`/users/${userId}/acts`, reset), 204);
    succeeded(await desk.sam.post(`/users/${userId}/acts`, reset), 204);
    await pushAndConfirm(stack.website, device);
    const path = `/users/${userId}/devices/${deviceId}?tenantId=${tenantId}`;
    succeeded(await desk.sam.delete(path), 204);
    expectProblem(await desk.sam.delete(path), 404, 'device-not-found');
    expectProblem(await device.challenges(), 401, 'invalid-signature');
    expect(await actsOf(stack, { tenantId, userId }, 'sam')).toEqual([
      'StaffUserLimitsResetEvent',
      'StaffDeviceRemovedEvent',
    ]);
  });

  test('only operators look at exports and tenants', async () => {
    expectGatewayAnswer(await desk.sam.get('/exports'), 403);
    expectGatewayAnswer(await desk.sam.get(`/tenants/${desk.demoTenant}`), 403);
    const listed = succeeded(await desk.sam.get('/tenants'), 200);
    expect(listed).toMatchObject({
      member: { memberId: 'sam', isOperator: false },
      tenants: [{ tenantId: desk.demoTenant }],
    });
  });

  test("a token of the websites' issuer, or none, opens nothing", async () => {
    const token = await stack.website.accessToken();
    for (const caller of [new StaffCaller(stack.file, token), new StaffCaller(stack.file, '')])
      expectGatewayAnswer(await caller.get(userPath('alice', desk.demoTenant)), 401);
  });
}
