import { rfc3339 } from '../kernel/time.ts';
import type { TenantSettings } from '../tenants/tenant.ts';
import type { UserRecord } from './device-store.ts';
import { blockingOn, closeExpired, openOn, pushLimitsOf } from './push-history.ts';

/** A limit of a user, for people. */
export type LimitView = {
  limit: string;
  /** Missing if the limit is not one for each device. */
  deviceId?: string;
  counted: number;
  allowed: number;
  reachedUntil?: string;
};

const reachedView = (until: number, now: number) => (until > now ? { reachedUntil: rfc3339(until) } : {});

/** All limits, whether they are reached or not. */
export function limitViews(
  { history, devices }: UserRecord,
  { pushLimits, openPerDevice }: TenantSettings,
  now: number,
): LimitView[] {
  const closed = closeExpired(history, now);
  return [
    ...pushLimitsOf(closed, pushLimits, now).map(({ until, ...limit }) => ({
      ...limit,
      ...reachedView(until, now),
    })),
    ...devices.map(({ deviceId }) => ({
      limit: 'openPerDevice',
      deviceId,
      counted: openOn(closed, deviceId).length,
      allowed: openPerDevice,
      ...reachedView(blockingOn(closed, deviceId, openPerDevice)?.expiresAt ?? 0, now),
    })),
  ];
}
