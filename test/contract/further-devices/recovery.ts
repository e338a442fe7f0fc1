import { beforeAll, expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import { WebsiteClient } from '../../../client/website-client.ts';
import { recoveryScope } from '../../../lambdas/routes.ts';
import { jsonOn } from '../../cli/omi.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectGatewayAnswer, expectProblem, succeeded } from '../expectations.ts';
import { enrolDevice, newUser, repeatedly } from '../scenario.ts';
import { eventAbout, noticesTo, openBank, type Bank } from './bank.ts';

export function recovery(stack: TestStack): void {
  let bank: Bank;
  beforeAll(async () => {
    bank = await openBank(stack, 'confirm');
  });

  test('adds a device without a confirmation and marks its event', async () => {
    const lost = await enrolDevice(bank.website);
    const { userId } = lost.identity;
    const { qr } = succeeded(await bank.helpDesk.startEnrolment(userId), 201);
    const device = new SimulatedDevice();
    succeeded(await device.enrol(qr), 201);
    const event = await eventAbout(stack, bank, device, 'UserDeviceRegisteredEvent');
    expect(event).toMatchObject({ version: '1.1', payload: { authorizedBy: 'recovery' } });
    expect(event.payload).not.toHaveProperty('challengeId');
    expect(await noticesTo(stack, lost)).toHaveLength(1);
  });

  test('removes a device without a confirmation and marks its event', async () => {
    const lost = await enrolDevice(bank.website);
    succeeded(await bank.helpDesk.removeDevice(lost.identity.userId, lost.identity.deviceId), 204);
    expect(await eventAbout(stack, bank, lost, 'UserDeviceDeregisteredEvent')).toMatchObject({
      version: '1.1',
      payload: { authorizedBy: 'recovery' },
    });
  });

  test('distinguishes tokens with and without the scope, in either order', async () => {
    const made = await jsonOn(stack)<{ clientId: string; clientSecret: string }>(
      ...['client', 'create', '--tenant', bank.tenantId, '--name', 'both'],
      ...['--scope', 'credential:omi:enrol:qr:post', recoveryScope],
    );
    const as = (...scopes: string[]) => new WebsiteClient({ ...stack.file, ...made }, { scopes });
    const [without, having] = [
      as('credential:omi:enrol:qr:post'),
      as('credential:omi:enrol:qr:post', recoveryScope),
    ];
    const { userId } = (await enrolDevice(bank.website)).identity;
    await repeatedly(2, async () => {
      expectProblem(await without.startEnrolment(userId), 403, 'confirmation-required');
      succeeded(await having.startEnrolment(userId), 201);
    });
  });

  test('needs more than the recovery scope', async () => {
    const website = stack.websiteWith(recoveryScope);
    expectGatewayAnswer(await website.startEnrolment(newUser()), 403);
    expectGatewayAnswer(await website.listDevices(newUser()), 403);
  });

  test("does not reach another tenant's user", async () => {
    const other = await openBank(stack, 'confirm');
    const device = await enrolDevice(bank.website);
    const { userId, deviceId } = device.identity;
    expectProblem(await other.helpDesk.removeDevice(userId, deviceId), 404, 'device-not-found');
    const { qr } = succeeded(await other.helpDesk.startEnrolment(userId), 201);
    const intruder = new SimulatedDevice();
    expect(succeeded(await intruder.enrol(qr), 201).tenantId).toBe(other.tenantId);
    const { devices } = succeeded(await bank.website.listDevices(userId), 200);
    expect(devices.map((one) => one.deviceId)).toEqual([deviceId]);
  });

  test('is not included in the scopes of "--scope all"', async () => {
    const { clients } = await jsonOn(stack)<{ clients: { name: string; scopes: string[] }[] }>(
      ...['tenant', 'show', '--tenant', bank.tenantId],
    );
    const scopesOf = (name: string) => clients.find((client) => client.name === name)?.scopes;
    expect(scopesOf('website')).not.toContain(recoveryScope);
    expect(scopesOf('website')).toContain('credential:omi:enrol:qr:post');
    expect(scopesOf('help desk')).toContain(recoveryScope);
  });
}
