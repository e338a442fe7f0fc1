import { calculateJwkThumbprint } from 'jose';
import * as v from 'valibot';
import { rfc3339 } from '../kernel/time.ts';
import { deviceName, shownText } from '../kernel/text.ts';
import type { Passkey } from './passkeys/passkey.ts';

export const platforms = ['fcm', 'apns', 'apns-sandbox'] as const;
export type Platform = (typeof platforms)[number];

/** A P-256 public key as a JWK, with the members that make its thumbprint (RFC 7638) and no others. */
export type DeviceKey = { kty: 'EC'; crv: 'P-256'; x: string; y: string };

export type User = { tenantId: string; userId: string };
export type DeviceIdentity = User & { deviceId: string };

export type Device = DeviceIdentity & {
  name: string;
  platform: Platform;
  model?: string | undefined;
  osVersion?: string | undefined;
  appVersion?: string | undefined;
  /** `unreachable`: the push provider no longer accepts the token. A new token makes the device active. */
  status: 'active' | 'unreachable';
  /** Milliseconds since 1970, like all times inside the service. */
  enrolledAt: number;
  lastSeenAt?: number;
  key: DeviceKey;
  pushToken: string;
  endpointArn: string;
  /** `iat` of the last accepted push-token request. Older requests are stale. */
  pushTokenIssuedAt?: number;
  /** Verifies the device's user. */
  passkey?: Passkey;
  /** The passkey may be copied to the user's other devices, so it does not prove that this device was used. */
  passkeySynced?: boolean;
};

export const pushToken = v.pipe(
  v.string(),
  v.regex(/^[\x20-\x7e]{8,4096}$/, 'expected 8 to 4096 printable ASCII characters'),
);

const version = v.optional(shownText(64));

/** The app's description of its device in an enrolment. */
export const deviceDescription = v.object({
  name: deviceName,
  platform: v.picklist(platforms),
  pushToken,
  model: version,
  osVersion: version,
  appVersion: version,
});
export type DeviceDescription = v.InferOutput<typeof deviceDescription>;

/** The parts of a device that websites may see; `deviceView` adds the thumbprint of its key. */
export const describeDevice = (
  device: Omit<Device, 'key' | 'pushToken' | 'endpointArn' | 'passkey' | 'passkeySynced'>,
) => ({
  deviceId: device.deviceId,
  name: device.name,
  platform: device.platform,
  ...(device.model !== undefined && { model: device.model }),
  ...(device.osVersion !== undefined && { osVersion: device.osVersion }),
  ...(device.appVersion !== undefined && { appVersion: device.appVersion }),
  status: device.status,
  enrolledAt: rfc3339(device.enrolledAt),
  ...(device.lastSeenAt !== undefined && { lastSeenAt: rfc3339(device.lastSeenAt) }),
});

export type DescribedDevice = ReturnType<typeof describeDevice>;

/** `Device` of the API: without the push token, and with the thumbprint of the key (RFC 7638). */
export const deviceView = async (device: DescribedDevice, key: DeviceKey) => ({
  ...device,
  keyThumbprint: await calculateJwkThumbprint(key, 'sha256'),
});

/** The devices of a user, newest enrolment first. */
export const deviceViews = async (devices: Device[]) =>
  await Promise.all(
    devices.toSorted(byEnrolment).map(async (device) => await deviceView(describeDevice(device), device.key)),
  );

const byEnrolment = (a: Device, b: Device): number => b.enrolledAt - a.enrolledAt;
