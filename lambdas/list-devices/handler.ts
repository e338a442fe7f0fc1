import * as v from 'valibot';
import type { DeviceStore } from '../../core/devices/device-store.ts';
import { deviceViews } from '../../core/devices/device.ts';
import { json } from '../../core/http/responses.ts';
import { userPath } from '../../core/http/request-schemas.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';

const request = v.object({ path: userPath });

export type Deps = { devices: DeviceStore };

export const createHandler = ({ devices }: Deps) =>
  websiteHandler(request, async ({ path }, { caller }) => {
    const user = await devices.loadUser({ tenantId: caller.tenantId, userId: path.userId });
    return json(200, { devices: deviceViews(user.devices) });
  });
