import { setTimeout as wait } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { InvokeStore, InvokeStoreBase } from '@aws/lambda-invoke-store';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { readReplay } from '../../../../core/export/replays/replay-queue.ts';
import { hours } from '../../../../core/kernel/time.ts';
import { replayEvents } from '../../../../core/export/replays/replay-events.ts';
import { mayLoop } from '../../../../lambdas/registered.ts';
import { QueuePoller } from '../../../../tools/local/event-sources/queue-poller.ts';
import { ExportWorld, quickPace } from '../../../support/export-world.ts';
import { until } from '../../../support/waiting.ts';

const lambda = 'replay-events';
/** Each step is a dozen calls, one after the other. */
const mostStepsOfAChain = 50;
const hourCount = 9;
const eventsOfAnHour = 12;
const eventsOfAStep = 2;
const pauseMs = 50;

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
  // By these the SDK knows that it is in a Lambda, and passes the trace on.
  process.env['AWS_LAMBDA_FUNCTION_NAME'] = lambda;
});
afterAll(async () => {
  delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
  await world.close();
});

async function recorded() {
  // Firehose is quicker than the emulator of Kinesis.
  const { ref, name } = await world.bucketTarget();
  const from = Math.floor((Date.now() - (hourCount + 1) * hours) / hours) * hours;
  const ids: string[] = [];
  for (let n = 0; n < hourCount * eventsOfAnHour; n += 1) {
    const at = from + Math.floor(n / eventsOfAnHour) * hours;
    ids.push(...(await world.record(ref, [{ key: `key-${n}`, n }], at)));
  }
  return { name, ids, range: { ...ref, from, to: from + hourCount * hours } };
}

async function step([message]: SQSRecord[]): Promise<boolean> {
  const replay = message && readReplay(message.body);
  if (!replay) throw new Error('This is no replay');
  const receives = Number(message.attributes.ApproximateReceiveCount);
  const seconds = await replayEvents(world.replays, { replay, receives }, quickPace);
  if (seconds === undefined) return true;
  // In place of the seconds, and not at once, as what it waits for needs the processor, too.
  await wait(pauseMs);
  await world.settleReplays([message], false);
  return false;
}

/** Has the steps called by their queue, as Lambda does, until the replay is over or its chain is stopped. */
async function called(isOver: () => Promise<boolean>) {
  const stopping = new AbortController();
  const store = await InvokeStore.getInstanceAsync(true);
  const told = { steps: 0, stopped: 0 };
  const running = new QueuePoller({
    lambda,
    mayLoop: mayLoop(lambda),
    // Without the service's own time limit, which is shorter than a long poll.
    client: new SQSClient({}),
    queue: { url: world.replaysUrl, arn: '', region: world.cloud.region },
    batchSize: 1,
    concurrency: 1,
    invoke: async (event, trace) => {
      const { Records } = event as SQSEvent;
      const context = { [InvokeStoreBase.PROTECTED_KEYS.X_RAY_TRACE_ID]: trace };
      const isDone = await store.run(context, async () => await step(Records));
      if (isDone) told.steps += 1;
      const left = isDone ? [] : Records;
      return { payload: { batchItemFailures: left.map(({ messageId }) => ({ itemIdentifier: messageId })) } };
    },
    failed: () => undefined,
    stopped: () => (told.stopped += 1),
    signal: stopping.signal,
  }).run();
  while (told.stopped === 0 && !(await isOver()))
    if ((await world.redeliver()).done === 0) await wait(pauseMs);
  stopping.abort();
  await running;
  return told;
}

let subject: Awaited<ReturnType<typeof recorded>>;
beforeAll(async () => {
  subject = await recorded();
});

test('a replay of more than fifty steps completes, because its function may feed its own queue', async () => {
  const { name, ids, range } = subject;
  const replay = await world.startReplay({ ...range, portion: eventsOfAStep });
  const isDone = async () => (await world.progress(replay)).state === 'done';
  const { steps, stopped } = await called(isDone);
  expect(stopped).toBe(0);
  expect(steps).toBeGreaterThan(mostStepsOfAChain);
  await world.finishReplay(replay);
  await until(async () => {
    const text = await world.written(name);
    return ids.every((id) => text.includes(id));
  });
});
