import { thumbprintOf, type Device } from '../devices/device.ts';
import { fromStoredJws } from '../devices/protocol/stored-jws.ts';
import type { StateChange } from '../events/event.ts';
import type { OwnPublicType } from '../events/own-events.ts';
import type { Authorization } from './device-changes.ts';

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
  payloadVersion: '1.1',
  payload: {
    userId: device.userId,
    deviceId: device.deviceId,
    jkt: thumbprintOf(device.key),
    ...payload,
    ...(authorization && authorizedBy(authorization)),
  },
});

export const deviceRegistered = (
  device: Device,
  clientId: string,
  authorization?: Authorization,
): StateChange =>
  deviceEvent(
    device,
    'UserDeviceRegisteredEvent',
    { clientId, platform: device.platform, receipt: fromStoredJws(device.receipt) },
    authorization,
  );

/** `clientId` is absent if the user removed the device in the app. */
export const deviceDeregistered = (
  device: Device,
  clientId?: string,
  authorization?: Authorization,
): StateChange => ({
  ...deviceEvent(device, 'UserDeviceDeregisteredEvent', { ...(clientId && { clientId }) }, authorization),
  after: device.enrolledAt,
});
