import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Context, DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { documentClient } from '../../../core/aws/dynamodb-client.ts';
import { delayOf } from '../../../core/export/verification/verification-queue.ts';
import type { Target } from '../../../core/export/targets/target.ts';
import { chunksOf } from '../../../core/kernel/chunks.ts';
import { mapConcurrent } from '../../../core/kernel/map-concurrent.ts';
import type { BatchResponse } from '../../../core/lambda/batch-lambda.ts';
import { eventSources, type EventSource } from '../../../lambdas/event-sources.ts';
import { createTables, localTables } from '../../local/resources/tables.ts';
import { measureCommands, type CommandRow } from './commands.ts';
import { counting, type Calls } from './counting.ts';
import { batchOf, targetsOf, withTrouble, writeTenants } from './targets.ts';

export type Row = { what: string; seconds: number; cpuSeconds: number; calls: Calls };
export type Size = { count: number; seed: number; commandsFor?: (tenantId: string) => string[] };
export type Result = { count: number; rows: Row[]; commands: CommandRow[]; mostTestsInASecond: number };

const context = {} as Context;
const cpuSeconds = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
};

async function measure(what: string, work: () => Promise<unknown>): Promise<Row> {
  const [begun, cpuBegun] = [performance.now(), cpuSeconds()];
  const calls = await counting(work);
  return { what, seconds: (performance.now() - begun) / 1_000, cpuSeconds: cpuSeconds() - cpuBegun, calls };
}

/** How Lambda calls the function. */
function sourceOf(name: 'export-events' | 'verify-target'): { batchSize: number; maxConcurrency?: number } {
  const found = (eventSources as readonly EventSource[]).find(({ lambda }) => lambda === name);
  if (!found) throw new Error(`Nothing calls ${name}`);
  return found;
}

/** Calls the Lambda with what it reports as failed, as Lambda does, until nothing is left. */
async function untilDone<One>(
  records: One[],
  idOf: (record: One) => string | undefined,
  call: (Records: One[]) => Promise<BatchResponse>,
): Promise<void> {
  let left = records;
  while (left.length > 0) {
    const failed = new Set((await call(left)).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    left = left.filter((record) => failed.has(idOf(record) ?? ''));
  }
}

/** An event of each tenant, first by a Lambda that has just started. */
async function measureExporter(count: number): Promise<Row[]> {
  const { handler } = await import('../../../lambdas/export-events/index.ts');
  const size = Math.min(sourceOf('export-events').batchSize, count);
  const exportBatch = async (first: number): Promise<void> => {
    const Records = batchOf(first, Math.min(size, count - first), Date.now());
    const idOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.SequenceNumber;
    await untilDone(Records, idOf, async (its) => await handler({ Records: its }, context));
  };
  const exportAll = async (): Promise<void> => {
    for (let first = 0; first < count; first += size) await exportBatch(first);
  };
  return [
    await measure(
      `a batch with events of ${size} tenants, by a new Lambda`,
      async () => await exportBatch(0),
    ),
    await measure('the same tenants again', async () => await exportBatch(0)),
    await measure('an event of each tenant', exportAll),
    await measure('the same again', exportAll),
  ];
}

/** The daily tests: how they are asked for, and how long Lambdas work on them. */
async function measureTests(targets: readonly Target[]): Promise<Row[]> {
  const scheduling = await import('../../../lambdas/schedule-verifications/index.ts');
  const testing = await import('../../../lambdas/verify-target/index.ts');
  const { batchSize, maxConcurrency = 1 } = sourceOf('verify-target');
  const testAll = async (): Promise<void> => {
    await mapConcurrent(chunksOf(targets, batchSize), maxConcurrency, async (its) => {
      const requests = its.map(requestFor);
      const test = async (Records: SQSRecord[]) => await testing.handler({ Records }, context);
      await untilDone(requests, ({ messageId }) => messageId, test);
    });
  };
  return [
    await measure('asking for the daily tests', async () => await scheduling.handler({}, context)),
    await measure(`the daily tests, ${maxConcurrency} calls of the Lambda at once`, testAll),
  ];
}

function requestFor({ tenantId, category }: Target): SQSRecord {
  const SentTimestamp = String(Date.now());
  return {
    ...{ messageId: `test-${tenantId}-${SentTimestamp}`, receiptHandle: 'none', messageAttributes: {} },
    ...{ body: JSON.stringify({ tenantId, category }), md5OfBody: '', eventSourceARN: '', awsRegion: '' },
    ...{ eventSource: 'aws:sqs', attributes: { ApproximateReceiveCount: '1', SentTimestamp, SenderId: '' } },
  } as SQSRecord;
}

const services = ['EVENTBRIDGE', 'FIREHOSE', 'KINESIS', 'KMS', 'S3', 'SQS', 'STS'];

/** The Lambdas run in this process, one after the other. They read the environment when they are loaded. */
export async function measureStage(endpoint: string, { count, seed, commandsFor }: Size): Promise<Result> {
  const worker = new Worker(new URL('aws.ts', import.meta.url));
  const [url] = (await once(worker, 'message')) as [string];
  try {
    Object.assign(process.env, {
      ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'OPERATOR', AWS_SECRET_ACCESS_KEY: 'bench' },
      ...Object.fromEntries(services.map((service) => [`AWS_ENDPOINT_URL_${service}`, url])),
      ...{
        AWS_ENDPOINT_URL_DYNAMODB: endpoint,
        TENANTS_TABLE: localTables.tenants,
        ATTEMPTS_TABLE: localTables.attempts,
        SIGNALS_TABLE: localTables.signals,
        LOG_TABLE: localTables.log,
        SIGNAL_KEY_IDS: 'alias/bench',
        BASE_URL: 'https://omi.example.com',
        SECRETS_KEY_ID: 'alias/bench',
      },
      ...{ PARKING_QUEUE_URL: `${url}/parking.fifo`, UNDELIVERABLE_QUEUE_URL: `${url}/undeliverable` },
      ...{ VERIFICATIONS_QUEUE_URL: `${url}/verifications`, OUTBOUND_LOOPBACK: 'allowed' },
      ...{ POWERTOOLS_METRICS_NAMESPACE: 'omi', POWERTOOLS_METRICS_DISABLED: 'true' },
    });
    await createTables(new DynamoDBClient());
    const dynamodb = documentClient();
    const targets = targetsOf(count, `${url}/webhooks`);
    await writeTenants(dynamodb, targets);
    const rows = [...(await measureExporter(count)), ...(await measureTests(targets))];
    await writeTenants(dynamodb, withTrouble(targets, seed));
    const commands = (commandsFor ?? allCommands)(targets[0]?.tenantId ?? '');
    const seconds = [...Map.groupBy(targets, delayOf).values()].map(({ length }) => length);
    const measured = await measureCommands(commands, { dynamodb: endpoint, others: url });
    return { count, rows, commands: measured, mostTestsInASecond: Math.max(...seconds) };
  } finally {
    await worker.terminate();
  }
}

const allCommands = (tenantId: string): string[] => [
  ...[`target status ${tenantId}`, 'target status', 'target list', 'doctor'],
];
