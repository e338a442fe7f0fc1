import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { TargetStore } from '../../core/export/targets/target-store.ts';
import { bodilessLambda } from '../../core/http/api-lambda.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { viewForTenant } from '../../core/lambda/tenant-view.ts';
import * as v from 'valibot';
import { v7 as uuidv7 } from 'uuid';
import type { Event } from '../../core/events/event.ts';
import { sampleEvent, sampleTypes } from '../../core/events/sample-event.ts';
import { categories, describeTarget, isStreamName } from '../../core/events/target-ref.ts';
import type { Target } from '../../core/export/targets/target.ts';
import { exportsQuery } from '../../core/http/export-request.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { logger } from '../../core/kernel/observability.ts';
import { environment } from './definition.ts';

const env = parseEnvironment(environment, process.env);
const store = new TargetStore(documentClient(), env.TENANTS_TABLE);
const view = viewForTenant(env);

const request = v.object({ query: exportsQuery });

/** As the target would get them. */
function samplesOf({ tenantId, category, types }: Target, now: number): Event[] {
  if (isStreamName(category)) return [];
  return sampleTypes({ category, types }).map((type) =>
    sampleEvent({ tenantId, category, type, eventId: uuidv7() }, now),
  );
}

export const handler = bodilessLambda(
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
  }),
);
