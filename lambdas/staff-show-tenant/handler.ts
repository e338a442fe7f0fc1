import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffTenantPath } from '../../core/staff/requests.ts';
import type { StaffLog } from '../../core/staff/staff-log.ts';
import { showTenant, type TenantDirectory } from '../../core/staff/tenant-directory-store.ts';

const request = v.object({ path: staffTenantPath });

export type Deps = { tenants: TenantDirectory; log: StaffLog };

export const createHandler = (deps: Deps) =>
  staffHandler(request, async ({ path: { tenantId } }, context) =>
    json(200, await showTenant(deps, tenantId, context)),
  );
