import * as v from 'valibot';
import { noContent } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffDevicePath, tenantQuery } from '../../core/staff/requests.ts';
import { removeDevice, type StaffRemoveDeps } from '../../core/staff/remove-device.ts';

const request = v.object({ path: staffDevicePath, query: tenantQuery });

export const createHandler = (deps: StaffRemoveDeps) =>
  staffHandler(request, async ({ path, query: { tenantId } }, context) => {
    await removeDevice(deps, { ...path, tenantId }, context);
    return noContent;
  });
