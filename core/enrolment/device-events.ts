import type { Device } from '../devices/device.ts';
import type { StateChange } from '../events/event.ts';
import type { OwnPublicType } from '../events/own-events.ts';
import type { Authorization } from './device-changes.ts';

/** Payload version 1.0 knows neither an authorization nor web devices. */
const versionOf = (
  payload: Record<string, unknown>,
  authorization: Authorization | undefined,
): Pick<StateChange, 'payloadVersion'> =>
  authorization || payload['platform'] === 'web' ? { payloadVersion: '1.1' } : {};

const authorizedBy = (authorization: Authorization) => ({
  authorizedBy: authorization.by,
  ...(authorization.by === 'confirmation' && { challengeId: authorization.challengeId }),
});

const deviceEvent = (
  device: Device,
  type: OwnPublicType,
  payload: Record<string, unknown>,
  authorization: Authorization | undefined,
): StateChange => ({
  tenantId: device.tenantId,
  userId: device.userId,
  aggregateId: device.deviceId,
  type,
  tag: 'CREDENTIAL_MANAGEMENT',
  ...versionOf(payload, authorization),
  payload: {
    userId: device.userId,
    deviceId: device.deviceId,
    ...payload,
    ...(authorization && authorizedBy(authorization)),
  },
});

export const deviceRegistered = (
  device: Device,
  clientId: string,
  authorization?: Authorization,
): StateChange =>
  deviceEvent(device, 'UserDeviceRegisteredEvent', { clientId, platform: device.platform }, authorization);

/** `clientId` is absent if the user removed the device in the app. */
export const deviceDeregistered = (
  device: Device,
  clientId?: string,
  authorization?: Authorization,
): StateChange => ({
  ...deviceEvent(device, 'UserDeviceDeregisteredEvent', { ...(clientId && { clientId }) }, authorization),
  after: device.enrolledAt,
});
