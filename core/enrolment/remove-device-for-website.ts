import type { Device, DeviceIdentity } from '../devices/device.ts';
import type { UserRecord } from '../devices/device-store.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { WebsiteCaller } from '../tenants/tenant.ts';
import { authorizeByConfirmation, type AuthorizedChange } from './authorize-by-confirmation.ts';
import { removeDevice, type RemoveDeps } from './remove-device.ts';

export type WebsiteRemoval = {
  userId: string;
  deviceId: string;
  /** The nonce of the confirmation that authorizes the removal. */
  confirmation: string | undefined;
};

/**
 * Removes a user's device for a website.
 *
 * @throws {Refusal} `device-not-found`, `confirmation-required`
 */
export async function removeDeviceForWebsite(
  deps: RemoveDeps,
  { userId, deviceId, confirmation }: WebsiteRemoval,
  { caller, ...context }: RequestContext & { caller: WebsiteCaller },
): Promise<void> {
  const { tenantId, clientId, settings, recovery } = caller;
  const identity: DeviceIdentity = { tenantId, userId, deviceId };
  const find = async () => {
    const user = await deps.devices.loadUser(identity);
    return { ...user, device: user.devices.find((device) => device.deviceId === deviceId) };
  };
  const authorize = async (_: Device, { devices }: UserRecord): Promise<AuthorizedChange> => {
    if (settings.furtherDevices !== 'confirm') return { writes: [] };
    if (recovery) return { authorization: { by: 'recovery' }, writes: [] };
    const change = { user: identity, devices, purpose: 'remove-device', use: deviceId } as const;
    return await authorizeByConfirmation(deps.confirmations, confirmation, change, context.now);
  };
  await removeDevice(deps, {
    find,
    notFound: new Refusal('device-not-found', 'The user has no such device.'),
    clientId,
    authorize,
    findRule: async () =>
      await Promise.resolve({ policy: settings.furtherDevices, tenantName: caller.requester.tenant }),
    context,
  });
}
