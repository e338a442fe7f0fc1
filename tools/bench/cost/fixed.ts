/** What a month without load costs, and what the service's own settings allow. */
import { platforms } from '../../../core/devices/device.ts';
import { kinds } from '../../../core/export/kinds/records.ts';
import { states } from '../../../core/export/targets/target.ts';
import { eventSources, type EventSource, schedules } from '../../../lambdas/event-sources.ts';
import { routes } from '../../../lambdas/routes.ts';
import { milliseconds } from './data.ts';
import type { Usages } from './model.ts';

const secondsOfMonth = 30 * 86_400;
const sources: readonly EventSource[] = eventSources;
const source = sources.find(({ lambda }) => lambda === 'expire-confirmation');
if (!source || !('queue' in source)) throw new Error('expire-confirmation is called by no queue');
/** Expiry messages that the service can process in a second with its own settings. */
export const alarmsPerSecond = Math.round(
  (source.maxConcurrency * source.batchSize * 1_000) / milliseconds.alarm,
);

/**
 * Metrics of a stage: three outcomes of a push by platform, four figures of the export by kind of target, confirmations that
 * began and by the five ways to end, the time to an answer, five figures of callbacks, and targets by state.
 */
export const ownMetrics = 3 * platforms.length + 4 * kinds.length + 7 + 5 + states.length;

const routeLambdas = new Set<string>(routes.map(({ lambda }) => lambda));
const otherLambdas = new Set<string>([
  'authorize',
  'authorize-exports',
  'authorize-staff',
  ...[...eventSources, ...schedules].map(({ lambda }) => lambda),
]);
/**
 * Metrics that alarms use: one of each Lambda and, in a canary rollout, three or four of its new version, two of each kind of
 * target, and 56 of tables, queues, streams and the API.
 */
export const alarmMetrics = (1 + 3) * routeLambdas.size + (1 + 4) * otherLambdas.size + 56 + 2 * kinds.length;

/** One of each Lambda; and those of CodeDeploy, of SNS's log, and of what only a deployment calls. */
export const rolesOfStage = routeLambdas.size + otherLambdas.size + 10;

/** The usage of a month without any load. */
export const fixed: Usages = {
  'metrics of the service': { metrics: ownMetrics },
  'alarms of a stage in production': { alarms: alarmMetrics },
  // Calls, two kinds of errors, two latencies and bytes: "Metrics for HTTP APIs" in API Gateway's guide.
  'metrics of each route': { metrics: 6 * routes.length },
  // Lambda polls an idle queue with five pollers, each of which waits for 20 s.
  'polling idle queues': {
    sqsRequests: (sources.filter((one) => 'queue' in one).length * 5 * secondsOfMonth) / 20,
  },
  // DynamoDB keeps a table's key for five minutes for each caller, of which there are about 50.
  "tables' keys, at most": { kmsRequests: (50 * secondsOfMonth) / 300 },
  'the key that signs web pushes': { secrets: 1 },
  'the keys that sign tokens, receipts, signals and checkpoints, and encrypt secrets': { kmsKeys: 5 },
  'the dashboard': { dashboards: 1 },
  "the demo bank's secret (`demo`)": { secrets: 1 },
  'your own key for the tables (`customerManagedKey`)': { kmsKeys: 1 },
  'copies in a second region (`copies`): two keys of vaults, five replicas of keys and one of the secret': {
    ...{ kmsKeys: 7, secrets: 1 },
  },
};
