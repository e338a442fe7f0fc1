import * as v from 'valibot';
import { Refusal } from '../../core/domain/refusal.ts';
import { noContent } from '../../core/http/answers.ts';
import { devicePath } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website.ts';
import { removeDevice, type RemoveDeps } from '../../core/operations/remove-device.ts';
import { retryContended } from '../../core/operations/retry-contended.ts';

const request = v.object({ path: devicePath });

export const createHandler = (deps: RemoveDeps) =>
  websiteHandler(request, async ({ path }, { caller: { tenantId, clientId }, ...call }) => {
    await retryContended(async () => {
      const { devices, ...history } = await deps.devices.loadUser({ tenantId, userId: path.userId });
      const device = devices.find(({ deviceId }) => deviceId === path.deviceId);
      if (!device) throw new Refusal('device-not-found', 'The user has no such device.');
      await removeDevice(deps, { ...history, device, clientId, call });
    });
    return noContent;
  });
