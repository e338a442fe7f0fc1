import { Device } from '#device';
import type { Account } from './model.ts';

/** An account's device. Its calls go to this origin, which forwards them to the service: the service has no CORS. */
export function deviceOf({ baseUrl, deviceId, tenantId, userId, key }: Account): Device {
  return new Device({ identity: { baseUrl, deviceId, tenantId, userId }, key, endpoint: location.origin });
}
