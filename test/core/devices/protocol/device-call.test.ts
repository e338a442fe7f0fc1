import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readDeviceCall, verifyDeviceCall } from '../../../../core/devices/protocol/device-call.ts';
import { thumbprintOf, type Device } from '../../../../core/devices/device.ts';
import type { DeviceKey } from '../../../../core/devices/device-key.ts';
import { signCompact } from '../../../../client/device/jws.ts';
import { newKeyPair } from '../../../../client/device/simulated-device.ts';
import { anyReceipt } from '../../../support/receipts.ts';

const audience = 'https://api.example.com';
const now = Date.UTC(2026, 0, 1);
const { privateKey, publicKey } = newKeyPair();

const device: Device = {
  tenantId: randomUUID(),
  userId: 'alice',
  deviceId: randomUUID(),
  name: 'Phone',
  platform: 'fcm',
  status: 'active',
  enrolledAt: now,
  key: publicKey.export({ format: 'jwk' }) as unknown as DeviceKey,
  receipt: anyReceipt,
  pushToken: 'token-of-a-phone',
  endpointArn: 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi/1',
};

const { tenantId, userId, deviceId } = device;
const type = 'omi-request+jws';
const jkt = thumbprintOf(device.key);
const own = {
  ...{ aud: audience, iat: now / 1000, jti: randomUUID(), jkt },
  ...{ iss: deviceId, tid: tenantId, sub: userId },
};
const signed = (changed: Partial<Record<keyof typeof own, unknown>> = {}): string => {
  const claims = { ...own, ...changed };
  return signCompact({ header: { typ: type, kid: claims.iss }, claims, key: privateKey });
};
const jws = signed();

const verified = async (record: Device) =>
  await verifyDeviceCall(readDeviceCall(jws, type), record, { baseUrls: [audience], now });

test('a call belongs to the device whose record has its key', async () => {
  await expect(verified(device)).resolves.toBe(device);
});

test.each([{ tenantId: randomUUID() }, { userId: 'bob' }, { deviceId: randomUUID() }])(
  'a record of another identity proves nothing, even with the same key: %j',
  async (other) => {
    await expect(verified({ ...device, ...other })).rejects.toMatchObject({ code: 'invalid-signature' });
  },
);

test.each(['iss', 'tid', 'sub'] as const)('a call needs a value of 1 to 128 characters in %s', (name) => {
  for (const text of ['a', 'a'.repeat(128)])
    expect(Object.values(readDeviceCall(signed({ [name]: text }), type).identity)).toContain(text);
  for (const text of ['', 'a'.repeat(129), '\ud800', null])
    expect(() => readDeviceCall(signed({ [name]: text }), type)).toThrow(
      expect.objectContaining({ code: 'invalid-signature' }),
    );
});
