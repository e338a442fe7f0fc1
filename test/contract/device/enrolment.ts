import { expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, repeatedly, startEnrolment } from '../scenario.ts';

export function enrolment(stack: TestStack): void {
  const newLink = async () => (await startEnrolment(stack.website, newUser())).qr;

  test('returns the identity of the device', async () => {
    const userId = newUser();
    const device = new SimulatedDevice();
    const enrolled = succeeded(await device.enrol((await startEnrolment(stack.website, userId)).qr), 201);
    expectMembers(enrolled, ['deviceId', 'tenantId', 'userId', 'tenant', 'receipt']);
    const [{ tenantId, name: tenant }] = stack.file.tenants;
    expect(enrolled).toMatchObject({ tenantId, tenant, userId });
    expect(enrolled.deviceId).toMatch(/./);
  });

  test('rejects another key for a used code with 409', async () => {
    const qr = await newLink();
    const { userId } = succeeded(await new SimulatedDevice().enrol(qr), 201);
    expectProblem(await new SimulatedDevice().enrol(qr), 409, 'enrolment-code-used');
    expect(succeeded(await stack.website.listDevices(userId), 200).devices).toHaveLength(1);
  });

  test.each(['x', '💳', 'x'.repeat(2000)])('rejects an unknown code with 404: %s', async (code) => {
    const answer = await new SimulatedDevice().enrol(await newLink(), { claims: { code } });
    expectProblem(answer, 404, 'enrolment-not-found');
  });

  test("allows a user at most five devices and keeps the sixth's code usable", async () => {
    const userId = newUser();
    const first = await enrolDevice(stack.website, userId);
    await repeatedly(4, async () => await enrolDevice(stack.website, userId));
    const { qr, enrolmentId } = await startEnrolment(stack.website, userId);
    const sixth = new SimulatedDevice();
    expectProblem(await sixth.enrol(qr), 409, 'too-many-devices');
    expect(succeeded(await stack.website.getEnrolment(enrolmentId), 200).status).toBe('waiting');
    succeeded(await first.remove(), 204);
    succeeded(await sixth.enrol(qr), 201);
    expect(succeeded(await stack.website.getEnrolment(enrolmentId), 200).status).toBe('completed');
    expect(succeeded(await stack.website.listDevices(userId), 200).devices).toHaveLength(5);
  });
}
