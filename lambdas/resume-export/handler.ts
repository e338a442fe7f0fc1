import * as v from 'valibot';
import { resumeByTenant } from '../../core/export/targets/steer-target.ts';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { exportPath, noMembers } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';

const request = v.object({ path: exportPath, body: noMembers });

export type Deps = { targets: Pick<TargetStore, 'find' | 'move' | 'drain'>; view: ViewForTenant };

export const createHandler = ({ targets, view }: Deps) =>
  websiteHandler(request, async ({ path: { category } }, { caller: { tenantId }, now }) =>
    json(200, view(await resumeByTenant(targets, { tenantId, category }, now), now)),
  );
