import * as v from 'valibot';
import type { UserRecord } from '../../core/devices/device-store.ts';
import type { Device } from '../../core/devices/device.ts';
import { Refusal } from '../../core/kernel/refusal.ts';
import { noContent } from '../../core/http/responses.ts';
import { devicePath, removalQuery } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { removeDevice, type RemoveDeps } from '../../core/enrolment/remove-device.ts';
import {
  authorizeByConfirmation,
  type AuthorizedChange,
} from '../../core/enrolment/authorize-by-confirmation.ts';

const request = v.object({ path: devicePath, query: removalQuery });

const notFound = new Refusal('device-not-found', 'The user has no such device.');

export const createHandler = (deps: RemoveDeps) =>
  websiteHandler(request, async ({ path, query }, { caller, ...context }) => {
    const { tenantId, clientId, settings } = caller;
    const user = { tenantId, userId: path.userId };
    const find = async () => {
      const found = await deps.devices.loadUser(user);
      return { ...found, device: found.devices.find(({ deviceId }) => deviceId === path.deviceId) };
    };
    const authorize = async ({ deviceId }: Device, { devices }: UserRecord): Promise<AuthorizedChange> => {
      if (settings.furtherDevices !== 'confirm') return { writes: [] };
      if (caller.recovery) return { authorization: { by: 'recovery' }, writes: [] };
      const change = { user, devices, purpose: 'remove-device', use: deviceId } as const;
      return await authorizeByConfirmation(deps.confirmations, query.confirmation, change, context.now);
    };
    const furtherDevices = async () => await Promise.resolve(settings.furtherDevices);
    await removeDevice(deps, { find, notFound, clientId, authorize, furtherDevices, context });
    return noContent;
  });
