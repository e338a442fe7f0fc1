import { removeDevice as remove, type RemoveDeps } from '../enrolment/remove-device.ts';
import type { DeviceIdentity } from '../devices/device.ts';
import { helpDeskClient } from '../events/own-events.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { ActContext } from './staff-log.ts';
import { requireTenant } from './tenant-directory-store.ts';
import type { UserDeps } from './users.ts';

export type StaffRemoveDeps = RemoveDeps & UserDeps;

/**
 * Removes a device that its user has lost, say. The user's other devices are told as the tenant's setting says.
 *
 * @throws {Refusal} `not-your-tenant`, `tenant-not-found`, `device-not-found`
 */
export async function removeDevice(
  deps: StaffRemoveDeps,
  device: DeviceIdentity,
  context: ActContext,
): Promise<void> {
  const { tenantId, userId, deviceId } = device;
  const { name, settings } = await requireTenant(deps.tenants, context.member, tenantId);
  const find = async () => {
    const user = await deps.devices.loadUser(device);
    return { ...user, device: user.devices.find((one) => one.deviceId === deviceId) };
  };
  const act = {
    tenantId,
    type: 'StaffDeviceRemovedEvent',
    description: 'A member of the help desk removed a device of a user',
    payload: { userId, deviceId },
  } as const;
  await remove(deps, {
    find,
    notFound: new Refusal('device-not-found', 'The user has no such device.'),
    clientId: helpDeskClient,
    authorize: async () => await Promise.resolve({ writes: deps.log.writes(act, context) }),
    findRule: async () => await Promise.resolve({ policy: settings.furtherDevices, tenantName: name }),
    context,
  });
}
