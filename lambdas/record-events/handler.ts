import * as v from 'valibot';
import type { EventStore } from '../../core/events/event-store.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { idsTaken, readEvents } from '../../core/events/read-events.ts';

const request = v.object({ body: v.unknown() });

export type Deps = { events: EventStore };

export const createHandler = ({ events: store }: Deps) =>
  websiteHandler(request, async ({ body }, { caller: { tenantId } }) => {
    const events = readEvents(body, tenantId);
    const taken = await retryOnConflict(async () => await store.append(tenantId, events));
    if (taken.length > 0) throw idsTaken(taken);
    return json(202, { accepted: events.length });
  });
