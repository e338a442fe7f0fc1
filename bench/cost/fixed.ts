import { eventSources, type EventSource, schedules } from '../../lambdas/event-sources.ts';
import { routes } from '../../lambdas/routes.ts';
import { platforms } from '../../core/devices/device.ts';
import { states } from '../../core/export/targets/target.ts';
import type { Usage } from './usage.ts';

const secondsOfAMonth = 30 * 24 * 3_600;

/** Four figures of the export by kind of target, of which there are two. */
const exportMetrics = 4 * 2;
/** How many confirmations began and ended, by the five ways to end; and the time to an answer. */
const confirmationMetrics = 1 + 5 + 1;

/** Of a stage. Three outcomes of a push are counted by platform, and targets by state. Those of faults are rarely sent. */
export const ownMetrics = 3 * platforms.length + exportMetrics + confirmationMetrics + states.length;
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

const routeLambdas = new Set<string>(routes.map(({ lambda }) => lambda));
const otherLambdas = new Set<string>([...eventSources, ...schedules].map(({ lambda }) => lambda)).add(
  'authorize',
);
/** Of those on tables, queues, streams, targets and the API; a test holds the sum against the stack. */
const otherAlarms = 63;
/** Metrics that alarms look at: one of each Lambda, and in a rollout by steps three or four of its new version. */
export const alarmMetrics = (1 + 3) * routeLambdas.size + (1 + 4) * otherLambdas.size + otherAlarms;

/** What a month uses whatever the load is. */
export const fixed: Record<string, Usage> = {
  'metrics of our own': { metrics: ownMetrics },
  'alarms of a stage in production': { alarms: alarmMetrics },
  'metrics of each route': { metrics: routes.length * routeMetrics },
  'asking idle queues': { sqsRequests: (queueCount() * pollersOfAQueue * secondsOfAMonth) / waitSeconds },
  "tables' keys, at most": { kmsRequests: (callersOfTables * secondsOfAMonth) / keySeconds },
  'a key of your own for the tables (`customerManagedKey`)': { kmsKeys: 1 },
};
