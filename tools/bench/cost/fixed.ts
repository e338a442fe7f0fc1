import { eventSources, type EventSource, schedules } from '../../../lambdas/event-sources.ts';
import { routes } from '../../../lambdas/routes.ts';
import { platforms } from '../../../core/devices/device.ts';
import { states } from '../../../core/export/targets/target.ts';
import type { Usage } from './usage.ts';

const secondsOfAMonth = 30 * 24 * 3_600;

/** Four figures of the export for each of three kinds of target. */
const exportMetrics = 4 * 3;
/** Confirmations that began, confirmations by the five ways to end, and the time to an answer. */
const confirmationMetrics = 1 + 5 + 1;
/** Delivered, failed attempts, given up, and the ages of those that were delivered and those that wait. */
const callbackMetrics = 3 + 2;

/** Metrics of a stage: three outcomes of a push by platform, and targets by state. Metrics of faults are rarely sent. */
export const ownMetrics =
  3 * platforms.length + exportMetrics + confirmationMetrics + callbackMetrics + states.length;
/** Calls, two kinds of errors, two latencies and bytes: "Metrics for HTTP APIs" in API Gateway's guide. */
const routeMetrics = 6;

/** Lambda polls an idle queue with five pollers, each of which waits for 20 s. */
const pollersOfAQueue = 5;
const waitSeconds = 20;

/** DynamoDB keeps a table's key for five minutes for each caller. Approximate number of Lambdas times their tables. */
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
/** Alarms on tables, queues, streams, targets and the API. A test compares the sum with the stack. */
const otherAlarms = 62;
/** Metrics that alarms use: one of each Lambda and, in a canary rollout, three or four of its new version. */
export const alarmMetrics = (1 + 3) * routeLambdas.size + (1 + 4) * otherLambdas.size + otherAlarms;

/** The usage of a month without any load. */
export const fixed: Record<string, Usage> = {
  'metrics of the service': { metrics: ownMetrics },
  'alarms of a stage in production': { alarms: alarmMetrics },
  'metrics of each route': { metrics: routes.length * routeMetrics },
  'polling idle queues': { sqsRequests: (queueCount() * pollersOfAQueue * secondsOfAMonth) / waitSeconds },
  "tables' keys, at most": { kmsRequests: (callersOfTables * secondsOfAMonth) / keySeconds },
  'the key that signs web pushes': { secrets: 1 },
  'the keys that sign tokens and encrypt secrets': { kmsKeys: 2 },
  "the demo bank's secret (`demo`)": { secrets: 1 },
  'your own key for the tables (`customerManagedKey`)': { kmsKeys: 1 },
};
