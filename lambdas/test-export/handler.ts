import * as v from 'valibot';
import { testByTenant, type TenantTestDeps } from '../../core/export/verification/test-by-tenant.ts';
import { exportPath, testBody } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';

const request = v.object({ path: exportPath, body: testBody });

export type Deps = TenantTestDeps & { view: ViewForTenant };

export const createHandler = ({ view, ...deps }: Deps) =>
  websiteHandler(request, async ({ path: { category }, body }, { caller: { tenantId }, now }) =>
    json(202, view(await testByTenant(deps, { tenantId, category, ...body }, now), now)),
  );
