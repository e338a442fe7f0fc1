import * as v from 'valibot';
import { noMembers } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { staffExportPath } from '../../core/staff/requests.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';
import { type StaffTestDeps, testExport } from '../../core/staff/exports.ts';

const request = v.object({ path: staffExportPath, body: noMembers });

export type Deps = StaffTestDeps & { view: ViewForTenant };

export const createHandler = ({ view, ...deps }: Deps) =>
  staffHandler(request, async ({ path }, context) => {
    const target = await testExport(deps, path, context);
    return json(202, { tenantId: path.tenantId, ...view(target, context.now) });
  });
