import * as v from 'valibot';
import type { EventRateStore } from '../../core/events/event-rate-store.ts';
import type { EventStore } from '../../core/events/event-store.ts';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { idsTaken, readEvents } from '../../core/events/read-events.ts';

const request = v.object({ body: v.unknown() });

export type Deps = { events: EventStore; rates: EventRateStore };

export const createHandler = ({ events: store, rates }: Deps) =>
  websiteHandler(request, async ({ body }, { caller: { tenantId, settings }, now }) => {
    const events = readEvents(body, tenantId);
    await rates.count(tenantId, { events: events.length, limit: settings.eventsPerSecond }, now);
    const taken = await retryOnConflict(async () => await store.append(tenantId, events));
    if (taken.length > 0) throw idsTaken(taken);
    return json(202, { accepted: events.length });
  });
