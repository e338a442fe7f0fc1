import { beforeAll, expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, openChallenge, push, pushesTo } from '../scenario.ts';
import { actsOf, type Desk, openDesk, openShop, userPath } from './desk.ts';

type Shop = Awaited<ReturnType<typeof openShop>>;

export function recovery(stack: TestStack): void {
  let desk: Desk;
  let shop: Shop;
  beforeAll(async () => {
    [desk, shop] = await Promise.all([openDesk(stack), openShop(stack)]);
  });

  const allow = async (userId: string, { tenantId }: Shop, more = {}) =>
    await desk.olga.post(`/users/${userId}/recovery`, { tenantId, ...more });

  const stateOf = async (userId: string, { tenantId }: Shop) => {
    const user = succeeded(await desk.olga.get(userPath(userId, tenantId)), 200);
    return (user['recovery'] as { state?: string } | undefined)?.state;
  };

  test('lets the website make one code without a confirmation, once, and tells all devices', async () => {
    const lost = await enrolDevice(shop.website);
    const { userId } = lost.identity;
    expectProblem(await shop.website.startEnrolment(userId), 403, 'confirmation-required');
    expect(succeeded(await allow(userId, shop), 200)).toMatchObject({
      state: 'allowed',
      requestedBy: 'olga',
    });
    const told = await pushesTo(stack, lost.description.pushToken);
    expect(JSON.stringify(told)).toContain('lets a new device be added');
    const { qr } = succeeded(await shop.website.startEnrolment(userId), 201);
    expectProblem(await shop.website.startEnrolment(userId), 403, 'confirmation-required');
    const device = new SimulatedDevice();
    succeeded(await device.enrol(qr), 201);
    expect(await stateOf(userId, shop)).toBe('used');
    expect(await actsOf(stack, { tenantId: shop.tenantId, userId }, 'olga')).toEqual([
      'StaffRecoveryAllowedEvent',
      'StaffUserViewedEvent',
    ]);
  });

  test('works for a user who has no device left', async () => {
    const lost = await enrolDevice(shop.website);
    const { userId, deviceId } = lost.identity;
    const { tenantId } = shop;
    succeeded(await desk.olga.delete(`/users/${userId}/devices/${deviceId}?tenantId=${tenantId}`), 204);
    expectProblem(await shop.website.startEnrolment(userId), 403, 'recovery-required');
    succeeded(await allow(userId, shop), 200);
    const { qr } = succeeded(await shop.website.startEnrolment(userId), 201);
    succeeded(await new SimulatedDevice().enrol(qr), 201);
  });

  test('a suspended tenant has none, and nobody is asked: its devices would show nothing', async () => {
    const closed = await openShop(stack);
    const { userId } = (await enrolDevice(closed.website)).identity;
    const { tenantId } = closed;
    await jsonOn(stack)('tenant', 'suspend', '--tenant', tenantId);
    expectProblem(await allow(userId, closed), 403, 'tenant-suspended');
    expectProblem(await desk.olga.post(`/users/${userId}/checks`, { tenantId }), 403, 'tenant-suspended');
    expect(await actsOf(stack, { tenantId, userId }, 'olga')).toEqual([]);
  });

  test('a deleted tenant is not found, so nobody sees its users or waits for it to be resumed', async () => {
    const gone = await openShop(stack);
    const { userId } = (await enrolDevice(gone.website)).identity;
    const { tenantId } = gone;
    await jsonOn(stack)('tenant', 'delete', tenantId, '--yes');
    for (const refused of [
      await desk.olga.get(userPath(userId, tenantId)),
      await allow(userId, gone),
      await desk.olga.post(`/users/${userId}/checks`, { tenantId }),
    ])
      expectProblem(refused, 404, 'tenant-not-found');
  });

  test('a device stops it by denying, also when the code was made', async () => {
    const phone = await enrolDevice(shop.website);
    const { userId } = phone.identity;
    succeeded(await allow(userId, shop), 200);
    const { qr } = succeeded(await shop.website.startEnrolment(userId), 201);
    const challenge = await openChallenge(phone);
    expect(challenge.message).toContain('deny it now');
    succeeded(await phone.deny(challenge, 'not_me'), 200);
    expect(succeeded(await phone.challenges(), 200)).toMatchObject({ challenges: [] });
    expectProblem(await new SimulatedDevice().enrol(qr), 403, 'confirmation-required');
    expectProblem(await shop.website.startEnrolment(userId), 403, 'confirmation-required');
    expect(await stateOf(userId, shop)).toBe('stopped');
  });

  test('its question takes no place of a website, and a confirmation of it stops nothing', async () => {
    const phone = await enrolDevice(shop.website);
    const { userId } = phone.identity;
    succeeded(await allow(userId, shop), 200);
    const question = await openChallenge(phone);
    await push(shop.website, phone);
    const { challenges } = succeeded(await phone.challenges(), 200);
    expect(challenges).toHaveLength(2);
    succeeded(await phone.confirm(question), 200);
    expect(await stateOf(userId, shop)).toBe('allowed');
    succeeded(
      await desk.olga.post(`/users/${userId}/acts`, { tenantId: shop.tenantId, act: 'withdraw-recovery' }),
      204,
    );
    expect(await stateOf(userId, shop)).toBe('stopped');
    expectProblem(await shop.website.startEnrolment(userId), 403, 'confirmation-required');
  });

  test('a recovery of a tenant with recoveryBy two needs another member of staff who agrees', async () => {
    const json = jsonOn(stack);
    const two = { tenantId: desk.demoTenant, website: stack.website };
    await json('tenant', 'set', desk.demoTenant, '--recovery-by', 'two');
    const phone = await enrolDevice(two.website);
    const { userId } = phone.identity;
    const asked = succeeded(await allow(userId, two), 200);
    expect(asked).toMatchObject({ state: 'requested', requestedBy: 'olga' });
    expect(succeeded(await allow(userId, two), 200)).toEqual(asked);
    expect(succeeded(await phone.challenges(), 200)).toMatchObject({ challenges: [] });
    const agreeTo = asked['recoveryId'];
    expectProblem(await allow(userId, two, { agreeTo }), 403, 'another-member-required');
    const agree = async (id: unknown) =>
      await desk.sam.post(`/users/${userId}/recovery`, { tenantId: two.tenantId, agreeTo: id });
    expectProblem(await agree('4b0f6c1a-2d57-4e7a-9a55-0c6f1a7f3d10'), 404, 'recovery-not-found');
    expect(succeeded(await agree(agreeTo), 200)).toMatchObject({ state: 'allowed', agreedBy: 'sam' });
    succeeded(await agree(agreeTo), 200);
    expect(await actsOf(stack, { ...two, userId }, 'olga')).toEqual(['StaffRecoveryRequestedEvent']);
    expect(await actsOf(stack, { ...two, userId }, 'sam')).toEqual(['StaffRecoveryAllowedEvent']);
    await json('tenant', 'set', desk.demoTenant, '--recovery-by', 'one');
  });
}
