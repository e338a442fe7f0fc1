import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { readDeviceCall, verifyDeviceCall } from '../../../../core/devices/protocol/device-call.ts';
import type { Device, DeviceKey } from '../../../../core/devices/device.ts';
import { signCompact } from '../../../../client/device/jws.ts';
import { newKeyPair } from '../../../../client/device/simulated-device.ts';

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
  pushToken: 'token-of-a-phone',
  endpointArn: 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/omi/1',
};

const { tenantId, userId, deviceId } = device;
const jws = signCompact({
  header: { typ: 'omi-request+jws', kid: deviceId },
  claims: { aud: audience, iat: now / 1000, jti: randomUUID(), iss: deviceId, tid: tenantId, sub: userId },
  key: privateKey,
});

const verified = async (record: Device) =>
  await verifyDeviceCall(readDeviceCall(jws, 'omi-request+jws'), record, { audience, now });

test('a call belongs to the device whose record has its key', async () => {
  await expect(verified(device)).resolves.toBe(device);
});

test.each([{ tenantId: randomUUID() }, { userId: 'bob' }, { deviceId: randomUUID() }])(
  'a record of another identity proves nothing, whatever its key: %j',
  async (other) => {
    await expect(verified({ ...device, ...other })).rejects.toMatchObject({ code: 'invalid-signature' });
  },
);
