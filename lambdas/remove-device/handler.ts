import * as v from 'valibot';
import { Refusal } from '../../core/domain/refusal.ts';
import { noContent } from '../../core/http/answers.ts';
import { devicePath } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website.ts';
import { removeDevice, type RemoveDeps } from '../../core/operations/remove-device.ts';

const request = v.object({ path: devicePath });

const missing = new Refusal('device-not-found', 'The user has no such device.');

export const createHandler = (deps: RemoveDeps) =>
  websiteHandler(request, async ({ path }, { caller: { tenantId, clientId }, ...call }) => {
    const find = async () => {
      const { devices, ...history } = await deps.devices.loadUser({ tenantId, userId: path.userId });
      return { ...history, device: devices.find(({ deviceId }) => deviceId === path.deviceId) };
    };
    await removeDevice(deps, { find, missing, clientId, call });
    return noContent;
  });
