/**
 * Every Lambda that is called by a table's stream or by a queue, with what it is called for. The CDK app makes event
 * source mappings of this table, and the local stack polls by it.
 */
import { filters as changedTargets } from './schedule-provisioning/filters.ts';
import type { QueueName } from '../core/aws/queues.ts';
import type { tables } from '../core/aws/tables.ts';

type TableWithStream = {
  [Name in keyof typeof tables]: (typeof tables)[Name] extends { stream: string } ? Name : never;
}[keyof typeof tables];

/** The part of Lambda's filter syntax that is in use: each leaf lists the values, or states, that pass. */
export type FilterPattern = { readonly [member: string]: FilterPattern | FilterRules };
export type FilterRules = readonly (string | number | { readonly exists: boolean })[];

/** In order within a shard: a batch that fails comes again, from the first record that failed, before any later one. */
export type StreamSource = {
  lambda: string;
  stream: TableWithStream;
  /** Records that match none of these never reach the Lambda. */
  filters: readonly FilterPattern[];
  batchSize: number;
  /** What still fails after this long goes to the bucket of failed records; a stream keeps records for 24. */
  maxAgeHours: number;
  /** Seconds that a batch may take, where it is more than a call of the API may. */
  timeout?: number;
};

/** Messages that the Lambda names as failed stay in the queue. */
export type QueueSource = {
  lambda: string;
  queue: QueueName;
  batchSize: number;
  /** Batches at once. */
  maxConcurrency: number;
  timeout?: number;
  /**
   * Why the Lambda sends messages into the queue that calls it. Lambda stops a chain of such calls after 16 of them, unless
   * the function is allowed its loop: https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
   */
  recursiveLoop?: string;
};

/** DynamoDB allows two readers a shard: a stream that feeds two Lambdas has no room for a third. */
export const eventSources = [
  {
    lambda: 'schedule-expiry',
    stream: 'events',
    filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { expiresAt: { N: [{ exists: true }] } } } }],
    batchSize: 1_000,
    maxAgeHours: 12,
  },
  { lambda: 'expire-confirmation', queue: 'expiry', batchSize: 10, maxConcurrency: 10 },
  {
    lambda: 'export-events',
    stream: 'events',
    filters: [{ eventName: ['INSERT'], dynamodb: { NewImage: { sequence: { S: [{ exists: true }] } } } }],
    // Batches grow by themselves under load. Parallelization stays 1: an aggregate's events are items of their own.
    batchSize: 1_000,
    maxAgeHours: 23,
    // Ten seconds for targets, ten for parking, and room for the tables.
    timeout: 60,
  },
  {
    lambda: 'schedule-provisioning',
    stream: 'tenants',
    filters: changedTargets,
    batchSize: 100,
    maxAgeHours: 23,
  },
  // Two at once, and each paces itself: Firehose's control plane takes five calls a second of an account.
  { lambda: 'provision-target', queue: 'provisioning', batchSize: 5, maxConcurrency: 2, timeout: 60 },
  {
    lambda: 'replay-events',
    queue: 'replays',
    batchSize: 1,
    maxConcurrency: 2,
    timeout: 60,
    recursiveLoop:
      'Each portion of a replay is one message, which sends the next. The chain ends with the replay: its place only advances.',
  },
  { lambda: 'verify-target', queue: 'verifications', batchSize: 5, maxConcurrency: 2, timeout: 60 },
  { lambda: 'redeliver-events', queue: 'parking', batchSize: 10, maxConcurrency: 20, timeout: 25 },
] as const satisfies readonly (StreamSource | QueueSource)[];

/** Called by the clock; where it fails, it is called again, twice. */
export type ScheduleSource = { lambda: string; every: 'day' | 'five-minutes'; timeout: number };

export const schedules = [
  { lambda: 'schedule-verifications', every: 'day', timeout: 300 },
  { lambda: 'release-endpoints', every: 'five-minutes', timeout: 300 },
] as const satisfies readonly ScheduleSource[];

export type ScheduledLambda = (typeof schedules)[number]['lambda'];

/** Seconds that a call may take, where it is not one of the API. */
export function timeoutOf(lambda: string): number | undefined {
  const sources: readonly { lambda: string; timeout?: number }[] = [...eventSources, ...schedules];
  return sources.find((source) => source.lambda === lambda)?.timeout;
}

/** Whether Lambda lets the function call itself through its own queue. */
export function mayLoop(lambda: string): boolean {
  const sources: readonly EventSource[] = eventSources;
  return sources.some((source) => source.lambda === lambda && 'recursiveLoop' in source);
}

export type EventSource = StreamSource | QueueSource;
export type EventSourceLambda = (typeof eventSources)[number]['lambda'];
