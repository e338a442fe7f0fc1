import { expect, test } from '@jest/globals';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectMembers, expectTime, succeeded } from '../expectations.ts';
import { listed, newUser, startEnrolment } from '../scenario.ts';

const tenMinutesMs = 600_000;

export function enrolment(stack: TestStack): void {
  test('starts with a QR code that is valid for ten minutes', async () => {
    const begun = Date.now();
    const started = succeeded(await stack.website.startEnrolment(newUser()), 201);
    expectMembers(started, ['enrolmentId', 'qr', 'expiresAt']);
    expectTime(started.expiresAt);
    expect(Date.parse(started.expiresAt)).toBeGreaterThanOrEqual(begun + tenMinutesMs - 1000);
    expect(Date.parse(started.expiresAt)).toBeLessThanOrEqual(Date.now() + tenMinutesMs + 1000);
  });

  test("has version, base URL and code in the QR code's fragment, and nothing else", async () => {
    const userId = newUser();
    const { qr, enrolmentId } = await startEnrolment(stack.website, userId);
    const { origin, pathname, search, hash } = new URL(qr);
    expect({ origin, pathname, search }).toEqual({
      origin: stack.file.appUrl,
      pathname: '/enrol',
      search: '',
    });
    const fragment = new URLSearchParams(hash.slice(1));
    expect([...fragment.keys()]).toEqual(['v', 'api', 'code']);
    expect(fragment.get('v')).toBe('1');
    expect(fragment.get('api')).toBe(stack.file.baseUrl);
    for (const personal of [userId, enrolmentId, stack.file.tenants[0].tenantId])
      expect(qr).not.toContain(personal);
  });

  test('is waiting until a device enrols, then completed with the device', async () => {
    const { enrolmentId, qr } = await startEnrolment(stack.website, newUser());
    expect(succeeded(await stack.website.getEnrolment(enrolmentId), 200)).toEqual({ status: 'waiting' });
    const device = new SimulatedDevice();
    succeeded(await device.enrol(qr), 201);
    const completed = succeeded(await stack.website.getEnrolment(enrolmentId), 200);
    expectMembers(completed, ['status', 'device']);
    expect(completed).toMatchObject({ status: 'completed', device: { deviceId: device.identity.deviceId } });
    expect(completed.device).toEqual(await listed(stack.website, device));
  });
}
