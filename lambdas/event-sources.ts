import type { FilterPattern } from './filter-pattern.ts';
/**
 * Every Lambda that a table's stream, a queue or a schedule calls. The CDK app creates event source mappings from this table,
 * and the local stack's pollers read it.
 */
import { filters as changedTargets } from './schedule-provisioning/filters.ts';
import type { QueueName } from '../core/aws/queues.ts';
import type { tables } from '../core/aws/tables.ts';
import type { LambdaName } from './registered.ts';

type TableWithStream = {
  [Name in keyof typeof tables]: (typeof tables)[Name] extends { stream: string } ? Name : never;
}[keyof typeof tables];

/** Delivers in order within a shard. A batch that fails is repeated from its first failed record, before any later record. */
export type StreamSource = {
  lambda: LambdaName;
  stream: TableWithStream;
  /** Only records that match one of these filters reach the Lambda. */
  filters: readonly FilterPattern[];
  batchSize: number;
  /** Seconds for which Lambda gathers records, unless a batch is full before. */
  windowSeconds?: number;
  /** Records that still fail after this time go to the bucket of failed records. A stream keeps records for 24 hours. */
  maxAgeHours: number;
};

/** Messages that the Lambda reports as failed stay in the queue. */
export type QueueSource = {
  lambda: LambdaName;
  queue: QueueName;
  batchSize: number;
  /** Batches at the same time. */
  maxConcurrency: number;
};

/** DynamoDB allows two readers per shard, so a stream can call at most two Lambdas. */
export const eventSources = [
  {
    lambda: 'schedule-expiry',
    stream: 'events',
    filters: [
      { eventName: ['INSERT'], dynamodb: { NewImage: { expiresAt: { N: [{ exists: true }] } } } },
      { eventName: ['INSERT'], dynamodb: { NewImage: { notify: { S: [{ exists: true }] } } } },
    ],
    batchSize: 1_000,
    maxAgeHours: 12,
  },
  { lambda: 'expire-confirmation', queue: 'expiry', batchSize: 10, maxConcurrency: 10 },
  // Only for receivers that are known to be quick. All calls of a batch are made at once.
  { lambda: 'deliver-callback', queue: 'callbacks', batchSize: 10, maxConcurrency: 100 },
  // One message at a time, so that no call waits for that of another receiver.
  { lambda: 'retry-callback', queue: 'retries', batchSize: 1, maxConcurrency: 300 },
  {
    lambda: 'export-events',
    stream: 'events',
    filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { sequence: { S: [{ exists: true }] } } } }],
    // Batches grow with the load. The parallelization factor stays 1, because an aggregate's events are separate items.
    batchSize: 1_000,
    maxAgeHours: 23,
  },
  {
    lambda: 'schedule-provisioning',
    stream: 'tenants',
    filters: changedTargets,
    batchSize: 100,
    maxAgeHours: 23,
  },
  {
    lambda: 'tell-of-exports',
    stream: 'tenants',
    // Every export writes counts into its target's item, which no filter can tell from another change.
    filters: [
      {
        dynamodb: {
          NewImage: {
            destination: { M: { kind: { S: [{ exists: true }] } } },
          },
        },
      },
      // A contact whose test an operator asked for.
      { dynamodb: { NewImage: { askedTest: { S: [{ exists: true }] } } } },
    ],
    batchSize: 1_000,
    // Under load a call for each second's counts, and not one for each write.
    windowSeconds: 1,
    maxAgeHours: 23,
  },
  // Two batches, which limit their rate: Firehose's control plane accepts five calls per second for an account.
  { lambda: 'provision-target', queue: 'provisioning', batchSize: 5, maxConcurrency: 2 },
  {
    lambda: 'replay-events',
    queue: 'replays',
    batchSize: 1,
    maxConcurrency: 2,
  },
  // Many, so that tests of broken targets that wait for AWS do not delay those of others.
  { lambda: 'verify-target', queue: 'verifications', batchSize: 5, maxConcurrency: 10 },
  { lambda: 'redeliver-events', queue: 'parking', batchSize: 10, maxConcurrency: 20 },
] as const satisfies readonly (StreamSource | QueueSource)[];

/** Called by a schedule. A failed call is repeated twice. */
export type ScheduleSource = { lambda: LambdaName; every: 'day' | 'five-minutes' | 'minute' };

export const schedules = [
  { lambda: 'schedule-verifications', every: 'day' },
  { lambda: 'release-endpoints', every: 'five-minutes' },
  { lambda: 'queue-expiries', every: 'five-minutes' },
  { lambda: 'remind-of-exports', every: 'minute' },
  { lambda: 'watch-buckets', every: 'minute' },
  { lambda: 'close-minutes', every: 'minute' },
] as const satisfies readonly ScheduleSource[];

export type ScheduledLambda = (typeof schedules)[number]['lambda'];

/** Called by CloudWatch Logs with the entries of a log group. A failed call is repeated twice. */
export const logSubscriptions = [
  { lambda: 'report-delivery-errors', log: 'delivery' },
] as const satisfies readonly {
  lambda: LambdaName;
  log: string;
}[];

export type SubscribedLambda = (typeof logSubscriptions)[number]['lambda'];

export type EventSource = StreamSource | QueueSource;
export type EventSourceLambda = (typeof eventSources)[number]['lambda'];
