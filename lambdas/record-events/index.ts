import { documentClient } from '../../core/aws/dynamodb-client.ts';
import { EventRateStore } from '../../core/events/event-rate-store.ts';
import { EventStore } from '../../core/events/event-store.ts';
import { parseEnvironment } from '../../core/lambda/environment.ts';
import { jsonLambda } from '../../core/http/api-lambda.ts';
import { largestCallBytes, idsTaken, readEvents } from '../../core/events/read-events.ts';
import * as v from 'valibot';
import { json } from '../../core/http/responses.ts';
import { websiteHandler } from '../../core/http/website-handler.ts';
import { retryOnConflict } from '../../core/kernel/retry-on-conflict.ts';
import { environment } from './definition.ts';

const { EVENTS_TABLE, LEDGER_TABLE } = parseEnvironment(environment, process.env);
const client = documentClient();
const deps = {
  events: new EventStore(client, EVENTS_TABLE),
  rates: new EventRateStore(client, LEDGER_TABLE),
};
const { events: store, rates } = deps;

const request = v.object({ body: v.unknown() });

export const handler = jsonLambda(
  websiteHandler(request, async ({ body }, { caller: { tenantId, settings }, now }) => {
    const events = readEvents(body, tenantId);
    await rates.count(tenantId, { events: events.length, limit: settings.eventsPerSecond }, now);
    const taken = await retryOnConflict(async () => await store.append(tenantId, events));
    if (taken.length > 0) throw idsTaken(taken);
    return json(202, { accepted: events.length });
  }),
  {
    largestBodyBytes: largestCallBytes,
    exact: true,
  },
);
