import { createHash, type JsonWebKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { nothingSchema } from '../../../client/contract.ts';
import { SimulatedDevice } from '../../../client/device/simulated-device.ts';
import type { TestStack } from '../../support/stack.ts';
import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import { publishedKeys } from '../published-keys.ts';
import { expectFaults, expectMembers, expectProblem, succeeded, timePattern } from '../expectations.ts';
import {
  challengedDevice,
  enrolDevice,
  expectStatus,
  listed,
  newUser,
  notification,
  poll,
  pushAndConfirm,
  startEnrolment,
} from '../scenario.ts';

/** RFC 7638 as it is written there: these members alone, in this order, without white space. */
function thumbprintOf(key: JsonWebKey = {}): string {
  const { crv, kty, x, y } = key;
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
}

export function devices(stack: TestStack): void {
  test('are listed with what they reported about themselves', async () => {
    const description = {
      name: 'Zoë 📱',
      platform: 'apns',
      model: 'Phone 12',
      osVersion: '18.1',
      appVersion: '4.2.0',
    };
    const { identity } = await enrolDevice(stack.website, newUser(), description);
    const list = succeeded(await stack.website.listDevices(identity.userId), 200);
    expectMembers(list, ['devices']);
    expect(list.devices).toHaveLength(1);
    const [device = {}] = list.devices;
    expect(device).toMatchObject({
      ...description,
      deviceId: identity.deviceId,
      status: 'active',
      enrolledAt: expect.stringMatching(timePattern),
    });
    const required = [
      'deviceId',
      'name',
      'platform',
      'model',
      'osVersion',
      'appVersion',
      'status',
      'enrolledAt',
      'keyThumbprint',
      'receipt',
    ];
    expectMembers(device, required, ['lastSeenAt']);
  });

  test('are known by their key from the enrolment on, and so is the key of their evidence', async () => {
    const { qr, enrolmentId } = await startEnrolment(stack.website, newUser());
    const device = new SimulatedDevice();
    succeeded(await device.enrol(qr), 201);
    const { keyThumbprint } = await listed(stack.website, device);
    expect(keyThumbprint).toBe(thumbprintOf(device.publicJwk));
    const completed = succeeded(await stack.website.getEnrolment(enrolmentId), 200);
    expect(completed.device?.keyThumbprint).toBe(keyThumbprint);
    const { nonce } = await pushAndConfirm(stack.website, device);
    expect(thumbprintOf((await poll(stack.website, nonce)).deviceKey)).toBe(keyThumbprint);
    expect((await listed(stack.website, await enrolDevice(stack.website))).keyThumbprint).not.toBe(
      keyThumbprint,
    );
  });

  test('have a receipt for the key wherever the service names it, signed by a published key', async () => {
    const { qr, enrolmentId } = await startEnrolment(stack.website, newUser());
    const device = new SimulatedDevice();
    const { receipt } = succeeded(await device.enrol(qr), 201);
    const repeated = succeeded(await device.enrol(qr), 201);
    const completed = succeeded(await stack.website.getEnrolment(enrolmentId), 200);
    const { nonce } = await pushAndConfirm(stack.website, device);
    const decided = await poll(stack.website, nonce);
    const others = [repeated, completed.device, await listed(stack.website, device), decided];
    expect(others.map((one) => one?.receipt)).toEqual(others.map(() => receipt));

    const { keys } = await publishedKeys(stack);
    const kid = decodeProtectedHeader(receipt).kid ?? '';
    const key = keys.find((one) => one.for === 'receipt' && one.kid === kid) ?? {};
    const { protectedHeader, payload } = await compactVerify(receipt, await importJWK(key));
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'omi-receipt+jwt', kid });
    const { userId, ...ids } = device.identity;
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual({
      ...{ iss: stack.file.baseUrl, iat: expect.any(Number), sub: userId, tid: ids.tenantId },
      ...{ deviceId: ids.deviceId, jkt: thumbprintOf(device.publicJwk), platform: 'fcm' },
      ...{ by: 'first', client: stack.file.tenants[0].clientId },
    });
  });

  test.each(['a%2Fb', 'a%20b', '%zz', '%C3%A9', '..%2F..', 'a%252Fb'])(
    'are asked of a user id that is none: %s',
    async (userId) => {
      for (const [method, path] of [
        ['GET', `/omi/users/${userId}/devices`],
        ['DELETE', `/omi/users/${userId}/devices/x`],
        ['POST', `/omi/push/user/${userId}`],
      ] as const) {
        const call = { method, path, ...(method === 'POST' && { json: notification() }) };
        expectFaults(await stack.website.call(call, nothingSchema), '#/path/userId');
      }
    },
  );

  test('are gone after their removal', async () => {
    const device = await enrolDevice(stack.website);
    const { userId, deviceId } = device.identity;
    succeeded(await stack.website.removeDevice(userId, deviceId), 204);
    expect(succeeded(await stack.website.listDevices(userId), 200)).toEqual({ devices: [] });
    expectProblem(await stack.website.removeDevice(userId, deviceId), 404, 'device-not-found');
    expectProblem(await device.challenges(), 401, 'invalid-signature');
  });

  test('cancel their open confirmation when they are removed', async () => {
    const { device, sent } = await challengedDevice(stack.website);
    const { userId, deviceId } = device.identity;
    succeeded(await stack.website.removeDevice(userId, deviceId), 204);
    const cancelled = await expectStatus(stack.website, sent.nonce, 'cancelled', 'device_removed');
    expect(cancelled.evidence).toBeUndefined();
  });
}
