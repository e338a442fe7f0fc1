import * as v from 'valibot';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffExportPath, steeringBody } from '../../core/staff/requests.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';
import { steerExport } from '../../core/staff/exports.ts';
import type { StaffLog } from '../../core/staff/staff-log.ts';

const request = v.object({ path: staffExportPath, body: steeringBody });

export type Deps = {
  targets: Pick<TargetStore, 'find' | 'move' | 'drain'>;
  log: StaffLog;
  view: ViewForTenant;
};

export const createHandler = ({ view, ...deps }: Deps) =>
  staffHandler(request, async ({ path, body: { act } }, context) => {
    const target = await steerExport(deps, path, act, context);
    return json(200, { tenantId: path.tenantId, ...view(target, context.now) });
  });
