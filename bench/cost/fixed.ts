import { eventSources, type EventSource } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import { platforms } from '../../core/domain/device.ts';
import type { Usage } from './usage.ts';

const secondsOfAMonth = 30 * 24 * 3_600;

/** What three outcomes of a push are by platform, and three figures of the export by kind of target. */
const ownMetrics = 3 * platforms.length + 3 * 2;
/** Calls, two kinds of errors, two latencies and bytes: "Metrics for HTTP APIs" in API Gateway's guide. */
const routeMetrics = 6;

/** Lambda asks an idle queue by five pollers that each wait for 20 s. */
const pollersOfAQueue = 5;
const waitSeconds = 20;

/** DynamoDB keeps a table's key for five minutes for each caller; Lambdas and the tables that they use, about. */
const callersOfTables = 50;
const keySeconds = 300;

const queueCount = (): number => {
  const sources: readonly EventSource[] = eventSources;
  return sources.filter((source) => 'queue' in source).length;
};

/** What a month uses whatever the load is. */
export const fixed: Record<string, Usage> = {
  'metrics of our own': { metrics: ownMetrics },
  'metrics of each route': { metrics: routes.length * routeMetrics },
  'asking idle queues': { sqsRequests: (queueCount() * pollersOfAQueue * secondsOfAMonth) / waitSeconds },
  "tables' keys, at most": { kmsRequests: (callersOfTables * secondsOfAMonth) / keySeconds },
  'a key of your own for the tables (`customerManagedKey`)': { kmsKeys: 1 },
};
