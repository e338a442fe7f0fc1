import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import {
  type EventSource,
  eventSources,
  logSubscriptions,
  schedules,
} from '../../../lambdas/event-sources.ts';
import { mayLoop } from '../../../lambdas/registered.ts';
import { poller } from '../aws/endpoint/caller.ts';
import type { Writes } from '../aws/endpoint/writes.ts';
import type { Usage } from '../aws/endpoint/usage.ts';
import type { Invocation } from '../lambda/function.ts';
import type { Lambdas } from '../lambda/lambdas.ts';
import { localQueues, type QueueUrls, queueArnOf } from '../resources/queues.ts';
import { localTables } from '../resources/tables.ts';
import { Checkpoints } from './checkpoints.ts';
import { QueuePoller } from './queue-poller.ts';
import type { Logs } from '../aws/stand-ins/logs/logs.ts';
import { LogSubscription } from './log-subscription.ts';
import { StreamPoller } from './stream-poller.ts';
import { Timer } from './timer.ts';
import { StreamShards } from './stream-shards.ts';

export type EventSourcesOptions = {
  aws: {
    region: string;
    endpoints: { dynamodb: string; sqs: string };
    writes: Pick<Writes, 'since'>;
    usage: Pick<Usage, 'next'>;
    logs: Pick<Logs, 'next'>;
  };
  queues: QueueUrls;
  lambdas: Pick<Lambdas, 'invoke'>;
  /** Keeps the checkpoints; without it streams are read from their beginning. */
  dataDirectory?: string | undefined;
  log: (line: string) => void;
};

const minuteMs = 60_000;
const intervals = { day: 24 * 60 * minuteMs, 'five-minutes': 5 * minuteMs, minute: minuteMs };
/** While the stack is in use, minutes are shorter, because nobody wants to wait for them. */
const shorter = { ...intervals, 'five-minutes': 5_000, minute: 4_000 };

/** Lambda begins with five pollers of a queue, and so many may always be busy. */
const pollersOfAQueue = 5;
/** Only one of them waits, as long polls of empty queues took a third of the CPU of an idle stack. */
const waitingPollers = 1;

export type RunningEventSources = { close: () => Promise<void> };

/** Starts the pollers and timers of `lambdas/event-sources.ts`. */
export function startEventSources(options: EventSourcesOptions): RunningEventSources {
  const stopping = new AbortController();
  const { dataDirectory } = options;
  const checkpoints = new Checkpoints(dataDirectory && join(dataDirectory, 'event-sources.json'));
  const clients = clientsOf(options.aws);
  const { signal } = stopping;
  const pollers = eventSources.map((source) =>
    pollerOf(source, { ...options, checkpoints, clients, signal }),
  );
  const timers = schedules.map(({ lambda, every }) => {
    const invoke = async (event: object): Promise<Invocation> => await options.lambdas.invoke(lambda, event);
    const longestMs = intervals[every] - shorter[every];
    const untilUsed = async (): Promise<void> =>
      await options.aws.usage.next(AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
    return new Timer({ everyMs: shorter[every], untilUsed, invoke, signal });
  });
  const subscriptions = logSubscriptions.map(({ lambda, log }) => {
    const invoke = async (event: object): Promise<Invocation> => await options.lambdas.invoke(lambda, event);
    return new LogSubscription({ log, logs: options.aws.logs, invoke, signal });
  });
  const running = [...pollers, ...timers, ...subscriptions].map(async (part) => {
    await part.run();
  });
  return {
    close: async () => {
      stopping.abort();
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all(running);
      await checkpoints.flush();
    },
  };
}

type Clients = ReturnType<typeof clientsOf>;
type PollerOptions = EventSourcesOptions & {
  checkpoints: Checkpoints;
  clients: Clients;
  signal: AbortSignal;
};

function clientsOf({ region, endpoints }: EventSourcesOptions['aws']) {
  const credentials = { accessKeyId: poller, secretAccessKey: 'local' };
  // With a timeout, because faults can leave a call without a response. A long poll takes 20 s.
  const common = (requestTimeout: number) => ({
    region,
    credentials,
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({ requestTimeout, throwOnRequestTimeout: true }),
  });
  return {
    dynamodb: new DynamoDBClient({ ...common(5_000), endpoint: endpoints.dynamodb }),
    streams: new DynamoDBStreamsClient({ ...common(5_000), endpoint: endpoints.dynamodb }),
    sqs: new SQSClient({ ...common(25_000), endpoint: endpoints.sqs }),
  };
}

function pollerOf(source: EventSource, options: PollerOptions): StreamPoller | QueuePoller {
  const { lambdas, clients, checkpoints, queues, aws, signal, log } = options;
  const { lambda, batchSize } = source;
  const common = {
    batchSize,
    invoke: async (event: object, trace?: string): Promise<Invocation> =>
      await lambdas.invoke(lambda, event, trace),
    failed: (invocation: Invocation): void => {
      if ('error' in invocation && !signal.aborted) {
        log(`${lambda} failed and will be retried: ${invocation.error.errorType}`);
      }
    },
    signal,
  };
  const { region } = aws;
  if ('queue' in source) {
    const queue = { url: queues[source.queue], arn: queueArnOf(localQueues[source.queue], region), region };
    return new QueuePoller({
      ...common,
      lambda,
      mayLoop: mayLoop(lambda),
      client: clients.sqs,
      queue,
      concurrency: waitingPollers,
      maxConcurrency: Math.max(pollersOfAQueue, source.maxConcurrency),
      stopped: (messages) => log(`${lambda} is in a recursive loop: ${messages} messages are not delivered`),
    });
  }
  const table = localTables[source.stream];
  const open = async (): Promise<StreamShards> => await StreamShards.ofTable(table, clients, signal);
  const untilWritten = async (since: number, longestMs: number): Promise<boolean> =>
    await aws.writes.since(since, table, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]));
  const { filters } = source;
  return new StreamPoller({ ...common, lambda, region, filters, open, checkpoints, untilWritten });
}
