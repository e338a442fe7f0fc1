import * as v from 'valibot';
import { v7 as uuidv7 } from 'uuid';
import type { Event } from '../../core/events/event.ts';
import { sampleEvent, sampleTypes } from '../../core/events/sample-event.ts';
import { categories, describeTarget, isStreamName } from '../../core/events/target-ref.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { exportsQuery } from '../../core/http/export-request.ts';
import type { TargetStore } from '../../core/export/targets/target-store.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import type { ViewForTenant } from '../../core/lambda/tenant-view.ts';
import { logger } from '../../core/kernel/observability.ts';

const request = v.object({ query: exportsQuery });

export type Deps = { targets: Pick<TargetStore, 'ofTenant'>; view: ViewForTenant };

export const createHandler = ({ targets: store, view }: Deps) =>
  websiteHandler(request, async ({ query }, { caller: { tenantId, requester }, now }) => {
    const { targets, malformed } = await store.ofTenant(tenantId);
    // The tenant cannot mend it. The operator's commands name it, too.
    for (const target of malformed) logger.error('malformed target', { target });
    const found = categories.flatMap((category) => targets.get(describeTarget({ tenantId, category })) ?? []);
    return json(200, {
      tenant: { tenantId, name: requester.tenant },
      exports: found.map((target) => ({
        ...view(target, now),
        ...(query.samples === 'true' && { samples: samplesOf(target, now) }),
      })),
    });
  });

/** As the target would get them. */
function samplesOf({ tenantId, category, types }: Target, now: number): Event[] {
  if (isStreamName(category)) return [];
  return sampleTypes({ category, types }).map((type) =>
    sampleEvent({ tenantId, category, type, eventId: uuidv7() }, now),
  );
}
