/**
 * Every Lambda that a table's stream, a queue or a schedule calls. The CDK app creates event source mappings from this table,
 * and the local stack's pollers read it.
 */
import { filters as changedTargets } from './schedule-provisioning/filters.ts';
import type { QueueName } from '../core/aws/queues.ts';
import type { tables } from '../core/aws/tables.ts';

type TableWithStream = {
  [Name in keyof typeof tables]: (typeof tables)[Name] extends { stream: string } ? Name : never;
}[keyof typeof tables];

/** The part of Lambda's filter syntax that is in use. Each leaf lists the values or states that pass. */
export type FilterPattern = { readonly [member: string]: FilterPattern | FilterRules };
export type FilterRules = readonly (string | number | { readonly exists: boolean })[];

/** Delivers in order within a shard. A batch that fails is repeated from its first failed record, before any later record. */
export type StreamSource = {
  lambda: string;
  stream: TableWithStream;
  /** Only records that match one of these filters reach the Lambda. */
  filters: readonly FilterPattern[];
  batchSize: number;
  /** Records that still fail after this time go to the bucket of failed records. A stream keeps records for 24 hours. */
  maxAgeHours: number;
  /** Seconds for a batch. Default: the limit of an API call. */
  timeout?: number;
};

/** Messages that the Lambda reports as failed stay in the queue. */
export type QueueSource = {
  lambda: string;
  queue: QueueName;
  batchSize: number;
  /** Batches at the same time. */
  maxConcurrency: number;
  timeout?: number;
  /**
   * Why the Lambda sends messages to its own queue. Lambda stops a chain of such calls after 16, unless the function may loop:
   * https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
   */
  recursiveLoop?: string;
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
  { lambda: 'deliver-callback', queue: 'callbacks', batchSize: 10, maxConcurrency: 100, timeout: 20 },
  // One message at a time, so that no call waits for that of another receiver. A call takes 10 s at most.
  { lambda: 'retry-callback', queue: 'retries', batchSize: 1, maxConcurrency: 300, timeout: 20 },
  {
    lambda: 'export-events',
    stream: 'events',
    filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { sequence: { S: [{ exists: true }] } } } }],
    // Batches grow with the load. The parallelization factor stays 1, because an aggregate's events are separate items.
    batchSize: 1_000,
    maxAgeHours: 23,
    // Ten seconds for targets, ten for parking, and a reserve for the tables.
    timeout: 60,
  },
  {
    lambda: 'schedule-provisioning',
    stream: 'tenants',
    filters: changedTargets,
    batchSize: 100,
    maxAgeHours: 23,
  },
  // Two batches, which limit their rate: Firehose's control plane accepts five calls per second for an account.
  { lambda: 'provision-target', queue: 'provisioning', batchSize: 5, maxConcurrency: 2, timeout: 60 },
  {
    lambda: 'replay-events',
    queue: 'replays',
    batchSize: 1,
    maxConcurrency: 2,
    timeout: 60,
    recursiveLoop:
      'Each portion of a replay is one message, which sends the next. The chain ends with the replay, because its position only advances.',
  },
  // Many, so that tests of broken targets that wait for AWS do not delay those of others.
  { lambda: 'verify-target', queue: 'verifications', batchSize: 5, maxConcurrency: 10, timeout: 60 },
  { lambda: 'redeliver-events', queue: 'parking', batchSize: 10, maxConcurrency: 20, timeout: 25 },
] as const satisfies readonly (StreamSource | QueueSource)[];

/** Called by a schedule. A failed call is repeated twice. */
export type ScheduleSource = { lambda: string; every: 'day' | 'five-minutes' | 'minute'; timeout: number };

export const schedules = [
  { lambda: 'schedule-verifications', every: 'day', timeout: 300 },
  { lambda: 'release-endpoints', every: 'five-minutes', timeout: 300 },
  { lambda: 'queue-expiries', every: 'five-minutes', timeout: 300 },
  { lambda: 'watch-buckets', every: 'minute', timeout: 50 },
] as const satisfies readonly ScheduleSource[];

export type ScheduledLambda = (typeof schedules)[number]['lambda'];

/** Called by CloudWatch Logs with the entries of a log group. A failed call is repeated twice. */
export const logSubscriptions = [{ lambda: 'report-delivery-errors', log: 'delivery', timeout: 50 }] as const;

export type SubscribedLambda = (typeof logSubscriptions)[number]['lambda'];

/** Seconds for a call of a Lambda that is not part of the API. */
export function timeoutOf(lambda: string): number | undefined {
  const sources: readonly { lambda: string; timeout?: number }[] = [
    ...eventSources,
    ...schedules,
    ...logSubscriptions,
  ];
  return sources.find((source) => source.lambda === lambda)?.timeout;
}

/** True if Lambda lets the function call itself through its own queue. */
export function mayLoop(lambda: string): boolean {
  const sources: readonly EventSource[] = eventSources;
  return sources.some((source) => source.lambda === lambda && 'recursiveLoop' in source);
}

export type EventSource = StreamSource | QueueSource;
export type EventSourceLambda = (typeof eventSources)[number]['lambda'];
