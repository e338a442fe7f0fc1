import type { DeviceKey } from './device-key.ts';
import * as v from 'valibot';
import { sha256 } from '../kernel/identifiers.ts';
import { rfc3339 } from '../kernel/time.ts';
import { deviceName, shownText } from '../kernel/text.ts';
import type { Passkey } from './passkeys/passkey.ts';
import { fromStoredJws, type StoredJws } from './protocol/stored-jws.ts';
import type { PushServices } from './push-services.ts';
import { type Subscription, subscriptionSchema } from './subscription.ts';

/** Platforms of apps from a store, which SNS pushes to. */
export const nativePlatforms = ['fcm', 'apns', 'apns-sandbox'] as const;
export type NativePlatform = (typeof nativePlatforms)[number];

/** `web`: a browser, which gets web pushes (RFC 8030). */
export const platforms = [...nativePlatforms, 'web'] as const;
export type Platform = (typeof platforms)[number];

/** The name of a key: its JWK thumbprint (RFC 7638), base64url SHA-256. */
export const thumbprintOf = ({ crv, kty, x, y }: DeviceKey): string =>
  sha256(JSON.stringify({ crv, kty, x, y }));

export type User = { tenantId: string; userId: string };
export type DeviceIdentity = User & { deviceId: string };

type AnyDevice = DeviceIdentity & {
  name: string;
  model?: string | undefined;
  osVersion?: string | undefined;
  appVersion?: string | undefined;
  /** `unreachable`: the push provider no longer accepts the token or subscription. A new one makes the device active. */
  status: 'active' | 'unreachable';
  /** Milliseconds since 1970, like all times inside the service. */
  enrolledAt: number;
  lastSeenAt?: number;
  key: DeviceKey;
  /** The service's signed statement that it enrolled this key for this user. */
  receipt: StoredJws;
  /** The private key, in base64url, if the device is one of a test user and answers by itself (RFC 7518, section 6.2.2). */
  testKey?: string;
  /** `iat` of the last accepted push-token request. Older requests are stale. */
  pushTokenIssuedAt?: number;
  /** `iat` of the last accepted change of the name. Older requests are stale. */
  nameIssuedAt?: number;
  /** Verifies the device's user. */
  passkey?: Passkey;
  /** The passkey may be copied to the user's other devices, so it does not prove that this device was used. */
  passkeySynced?: boolean;
};

/** A device with an app from a store, which has an SNS endpoint for its push token. */
export type NativeDevice = AnyDevice & { platform: NativePlatform; pushToken: string; endpointArn: string };

/** A browser. Without a subscription it gets no pushes and polls while it is open. */
export type WebDevice = AnyDevice & { platform: 'web'; subscription?: Subscription | undefined };

export type Device = NativeDevice | WebDevice;

/** What a device is told of its own pushes. */
export type PushState = 'on' | 'unreachable';

/** `unreachable`: the device must send a new token or subscription before another push can arrive. */
export const pushStateOf = (device: Pick<Device, 'status'>): PushState =>
  device.status === 'active' ? 'on' : 'unreachable';

export const pushToken = v.pipe(
  v.string(),
  v.regex(/^[\x20-\x7e]{8,4096}$/, 'expected 8 to 4096 printable ASCII characters'),
);

const version = v.optional(shownText(64));

/** What every device says about itself. */
export const described = v.object({
  name: deviceName,
  model: version,
  osVersion: version,
  appVersion: version,
});

/** A claim that belongs to the other platforms. */
const none = (expected: string) => v.optional(v.undefined(expected));
const noPushToken = none('expected no such claim: a web device has a subscription');
const noSubscription = none('expected no such claim: only web devices have a subscription');

const nativeDescription = v.object({
  platform: v.picklist(nativePlatforms),
  pushToken,
  subscription: noSubscription,
});

const webDescription = (services: PushServices) =>
  v.object({
    platform: v.literal('web'),
    subscription: v.optional(subscriptionSchema(services)),
    pushToken: noPushToken,
  });

/** Where pushes reach a device from now on, by its kind of platform. */
export const newPushToken = v.object({ pushToken, subscription: noSubscription });
export const newSubscription = (services: PushServices) =>
  v.object({ subscription: subscriptionSchema(services), pushToken: noPushToken });

/** The app's description of its device in an enrolment. */
export const deviceDescription = (services: PushServices) =>
  v.intersect([described, v.variant('platform', [nativeDescription, webDescription(services)])]);
export type DeviceDescription = v.InferOutput<ReturnType<typeof deviceDescription>>;

/** The parts of a device that websites may see; `deviceView` adds the thumbprint of its key and the receipt. */
export const describeDevice = (
  device: Omit<AnyDevice, 'key' | 'receipt' | 'passkey' | 'passkeySynced'> & { platform: Platform },
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

/** What a device is known by from its enrolment on. */
export type Enrolled = Pick<Device, 'key' | 'receipt'>;

/** `Device` of the API: without the push token, and with the thumbprint of the key (RFC 7638). */
export const deviceView = (device: DescribedDevice, { key, receipt }: Enrolled) => ({
  ...device,
  keyThumbprint: thumbprintOf(key),
  receipt: fromStoredJws(receipt),
});

/** The devices of a user, newest enrolment first. */
export const deviceViews = (devices: Device[]) =>
  devices.toSorted(byEnrolment).map((device) => deviceView(describeDevice(device), device));

const byEnrolment = (a: Device, b: Device): number => b.enrolledAt - a.enrolledAt;
