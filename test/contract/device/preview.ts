import { expect, test } from '@jest/globals';
import { scan } from '#device';
import { postPreview } from '../../../client/device/device-api.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectProblem, succeeded } from '../expectations.ts';
import { newUser } from '../scenario.ts';

const label = 'Anna Ångström · …4711';

export function preview(stack: TestStack): void {
  const invite = async (accountLabel?: string, userId = newUser()) => {
    const started = succeeded(await stack.website.startEnrolment(userId, undefined, accountLabel), 201);
    return { ...started, ...scan(started.qr), userId };
  };
  const ask = async (json: unknown, contentType?: string) =>
    await postPreview(stack.file.baseUrl, json, contentType);

  test('names tenant and account, and keeps the code usable', async () => {
    const { code, qr, enrolmentId, expiresAt } = await invite(label);
    const expected = {
      tenant: stack.file.tenants[0].name,
      account: label,
      expiresAt,
      userVerification: 'off',
    };
    expect(succeeded(await ask({ code }), 200)).toEqual(expected);
    expect(succeeded(await ask({ code }), 200)).toEqual(expected);
    expect(succeeded(await stack.website.getEnrolment(enrolmentId), 200)).toEqual({ status: 'waiting' });
    succeeded(await new SimulatedDevice().enrol(qr), 201);
  });

  test('rejects a used code with 409 and names nobody', async () => {
    const { code, qr, userId } = await invite(label);
    const device = new SimulatedDevice();
    succeeded(await device.enrol(qr), 201);
    const answer = await ask({ code });
    expectProblem(answer, 409, 'enrolment-code-used');
    const { deviceId, tenantId } = device.identity;
    for (const personal of [label, userId, deviceId, tenantId, stack.file.tenants[0].name])
      expect(answer.text).not.toContain(personal);
  });

  test.each(['x', '💳', 'x'.repeat(2000)])('rejects an unknown code with 404: %s', async (code) => {
    expectProblem(await ask({ code }), 404, 'enrolment-not-found');
  });
}
