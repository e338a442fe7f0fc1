import type { Context, SQSEvent } from 'aws-lambda';
import { delayOf } from '../../../core/export/verification/verification-queue.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { chunksOf } from '../../../core/kernel/chunks.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import type { BatchResponse } from '../../../core/lambda/batch-lambda.ts';
import { eventSources } from '../../../lambdas/event-sources.ts';
import { formatNumber } from '../report/markdown.ts';
import { percentile } from '../report/statistics.ts';
import type { Meter } from './meter.ts';
import { batchOf } from './targets.ts';

const context = {} as Context;

/** How Lambda calls the function. */
function sourceOf(name: 'export-events' | 'verify-target'): { batchSize: number; maxConcurrency?: number } {
  const found = eventSources.find(({ lambda }) => lambda === name);
  if (!found) throw new Error(`Nothing calls ${name}`);
  return found;
}

function requireDone({ batchItemFailures }: BatchResponse): void {
  if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} items failed`);
}

/** Milliseconds of each call of a Lambda. */
class Durations {
  readonly #all: number[] = [];

  async of(call: () => Promise<unknown>): Promise<void> {
    const begun = performance.now();
    await call();
    this.#all.push(performance.now() - begun);
  }

  describe(what: string): string {
    const [p50, p99] = [percentile(this.#all, 0.5), percentile(this.#all, 0.99)];
    return `${formatNumber(this.#all.length)} ${what}, p50 ${formatNumber(p50)} ms, p99 ${formatNumber(p99)} ms`;
  }
}

/** An event of each tenant, first by a Lambda that has just started. */
export async function measureExporter(meter: Meter, count: number): Promise<void> {
  const { handler } = await import('../../../lambdas/export-events/index.ts');
  const size = Math.min(sourceOf('export-events').batchSize, count);
  const exportBatch = async (first: number): Promise<void> => {
    const length = Math.min(size, count - first);
    requireDone(await handler({ Records: batchOf(first, length, Date.now()) }, context));
  };
  const exportAll = async (): Promise<string> => {
    const durations = new Durations();
    for (let first = 0; first < count; first += size)
      await durations.of(async () => await exportBatch(first));
    return durations.describe('batches');
  };
  const tenants = `${formatNumber(size)} tenants`;
  await meter.measure(`a batch with an event of each of ${tenants}, by a new Lambda`, async () => {
    await exportBatch(0);
    return undefined;
  });
  await meter.measure('the same tenants again', async () => {
    await exportBatch(0);
    return undefined;
  });
  await meter.measure('an event of each tenant', exportAll);
  await meter.measure('the same again', exportAll);
}

/** The daily tests: how they are asked for, when they come, and how long Lambdas work on them. */
export async function measureTests(meter: Meter, targets: readonly Target[]): Promise<void> {
  const scheduling = await import('../../../lambdas/schedule-verifications/index.ts');
  const testing = await import('../../../lambdas/verify-target/index.ts');
  await meter.measure('asking for the daily tests', async () => {
    await scheduling.handler({}, context);
    return describeSpread(targets);
  });
  const { batchSize, maxConcurrency = 1 } = sourceOf('verify-target');
  await meter.measure(`the daily tests, ${maxConcurrency} calls of the Lambda at once`, async () => {
    const durations = new Durations();
    await mapConcurrent(chunksOf(targets, batchSize), maxConcurrency, async (its) => {
      await durations.of(async () => requireDone(await testing.handler(requestsFor(its), context)));
    });
    return durations.describe('calls of the Lambda');
  });
}

function describeSpread(targets: readonly Target[]): string {
  const seconds = Map.groupBy(targets, delayOf);
  const most = Math.max(...[...seconds.values()].map(({ length }) => length));
  return `over ${formatNumber(Math.max(...seconds.keys()))} s, at most ${most} in a second`;
}

function requestsFor(targets: readonly Target[]): SQSEvent {
  const SentTimestamp = String(Date.now());
  const Records = targets.map(({ tenantId, category }) => ({
    messageId: `test-${tenantId}-${category}-${SentTimestamp}`,
    receiptHandle: 'none',
    body: JSON.stringify({ tenantId, category }),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp,
      SenderId: '',
      ApproximateFirstReceiveTimestamp: SentTimestamp,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: '',
  }));
  return { Records };
}
