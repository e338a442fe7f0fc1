import { expect, test } from '@jest/globals';
import { postEnrolment } from '../../../tools/client/device/device-api.ts';
import { scan } from '#device';
import { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectMembers, expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, listed, newUser, repeatedly, startEnrolment } from '../scenario.ts';

const accepted = [
  { name: '📱'.repeat(64) },
  { pushToken: 'x'.repeat(8) },
  { pushToken: `~!${'x'.repeat(4094)}` },
  { model: 'm'.repeat(64), osVersion: '1', appVersion: '2' },
];

const refused: [string, unknown][] = [
  ['name', ''],
  ['name', 'x'.repeat(65)],
  ['name', 'a\u202eb'],
  ['name', undefined],
  ['platform', 'pigeon'],
  ['pushToken', 'x'.repeat(7)],
  ['pushToken', 'x'.repeat(4097)],
  ['pushToken', 'with-ümlaut'],
  ['model', 'm'.repeat(65)],
  ['osVersion', 'm'.repeat(65)],
  ['appVersion', 'm'.repeat(65)],
  ['code', 7],
];

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

  test.each(accepted)('accepts %j', async (description) => {
    const device = await enrolDevice(stack.website, newUser(), description);
    const shown = Object.entries(description).filter(([claim]) => claim !== 'pushToken');
    expect(await listed(stack.website, device)).toMatchObject(Object.fromEntries(shown));
  });

  test.each(refused)('rejects %s %j', async (claim, value) => {
    const answer = await new SimulatedDevice().enrol(await newLink(), { claims: { [claim]: value } });
    expectFaults(answer, `/${claim}`);
  });

  test('names every fault at once and keeps the code usable', async () => {
    const qr = await newLink();
    const device = new SimulatedDevice();
    const claims = { name: '', model: 7, pushToken: 'short' };
    expectFaults(await device.enrol(qr, { claims }), '/name', '/model', '/pushToken');
    succeeded(await device.enrol(qr), 201);
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

  test('enrols one of two phones that compete with one code for the last place', async () => {
    const userId = newUser();
    await repeatedly(4, async () => await enrolDevice(stack.website, userId));
    const { qr } = await startEnrolment(stack.website, userId);
    const answers = await Promise.all([1, 2].map(async () => await new SimulatedDevice().enrol(qr)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(succeeded(await stack.website.listDevices(userId), 200).devices).toHaveLength(5);
  });

  test('rejects another content type with 415', async () => {
    const link = scan(await newLink());
    const jws = new SimulatedDevice().signEnrolment(link);
    for (const type of ['application/json', 'text/plain'])
      expectProblem(await postEnrolment(link.baseUrl, jws, type), 415, 'unsupported-media-type');
    succeeded(await postEnrolment(link.baseUrl, jws), 201);
  });
}
