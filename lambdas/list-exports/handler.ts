import * as v from 'valibot';
import { categories, describeTarget } from '../../core/events/target-ref.ts';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';
import { logger } from '../../core/kernel/observability.ts';

const request = v.object({});

export type Deps = { targets: Pick<TargetStore, 'ofTenant'>; view: ViewForTenant };

export const createHandler = ({ targets: store, view }: Deps) =>
  websiteHandler(request, async (_, { caller: { tenantId }, now }) => {
    const { targets, malformed } = await store.ofTenant(tenantId);
    // The tenant cannot mend it. The operator's commands name it, too.
    for (const target of malformed) logger.error('malformed target', { target });
    const found = categories.flatMap((category) => targets.get(describeTarget({ tenantId, category })) ?? []);
    return json(200, { exports: found.map((target) => view(target, now)) });
  });
