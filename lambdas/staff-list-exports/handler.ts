import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { staffHandler } from '../../core/http/staff-handler.ts';
import { exportsQuery } from '../../core/staff/requests.ts';
import { logger } from '../../core/kernel/observability.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { listExports } from '../../core/staff/exports.ts';

const request = v.object({ query: exportsQuery });

export type Deps = { targets: Pick<TargetStore, 'pages' | 'load'>; view: ViewForTenant };

export const createHandler = ({ targets: store, view }: Deps) =>
  staffHandler(request, async ({ query }, { now }) => {
    const { targets, malformed } = await listExports(store, query);
    for (const target of malformed) logger.error('malformed target', { target });
    const exports = targets.map((target) => ({ tenantId: target.tenantId, ...view(target, now) }));
    return json(200, { exports });
  });
