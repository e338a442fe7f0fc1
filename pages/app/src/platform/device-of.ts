import { Device } from '#device';
import type { Account } from './model.ts';

/** An account's device. Its calls go to this origin, which forwards them to the service: the service has no CORS. */
export function deviceOf({ baseUrl, deviceId, tenantId, userId, key }: Account): Device {
  return new Device({ identity: { baseUrl, deviceId, tenantId, userId }, key, endpoint: location.origin });
}

/** One device for each account: it remembers answers whose reply was lost, and what the service said about the clock. */
export function devices(): (account: Account) => Device {
  const known = new Map<string, Device>();
  return (account) => {
    const device = known.get(account.deviceId) ?? deviceOf(account);
    known.set(account.deviceId, device);
    return device;
  };
}
