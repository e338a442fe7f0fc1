import { expect, test } from '@jest/globals';
import { scan } from '#device';
import { postPreview } from '../../../tools/client/device/device-api.ts';
import { SimulatedDevice } from '../../../tools/client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { expectFaults, expectProblem, succeeded } from '../expectations.ts';
import { newUser, startEnrolment } from '../scenario.ts';

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

  test('names only the tenant if the user has no label', async () => {
    const { code, expiresAt } = await invite();
    const [{ name: tenant }] = stack.file.tenants;
    expect(succeeded(await ask({ code }), 200)).toEqual({ tenant, expiresAt, userVerification: 'off' });
  });

  test("names the user's label if the code brings none", async () => {
    const userId = newUser();
    succeeded(await stack.website.setAccountLabel(userId, label), 204);
    const { code } = await invite(undefined, userId);
    expect(succeeded(await ask({ code }), 200)).toMatchObject({ account: label });
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

  test('does not accept an enrolment id as a code', async () => {
    const { enrolmentId } = await startEnrolment(stack.website, newUser());
    expectProblem(await ask({ code: enrolmentId }), 404, 'enrolment-not-found');
  });

  test.each([undefined, 7])('rejects %p as code', async (code) => {
    expectFaults(await ask({ code }), '/code');
  });

  test('rejects unknown members and another content type', async () => {
    const { code } = await invite();
    expectFaults(await ask({ code, userId: 'anna' }), '/userId');
    expectProblem(await ask({ code }, 'application/jose'), 415, 'unsupported-media-type');
  });
}
