import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { QueuePoller } from '../../../../tools/local/event-sources/queue-poller.ts';
import { detectLoops } from '../../../../tools/local/event-sources/loop-detection.ts';
import { LambdaFunction } from '../../../../tools/local/lambda/function.ts';
import { callsIn, longestChain, readLineage, traceHeader } from '../../../../tools/local/lambda/lineage.ts';
import { LocalQueue } from '../../../support/local-queue.ts';

let queue: LocalQueue;
let stopping: AbortController;
let running: Promise<void>;
let looping: LambdaFunction;
/** What the function was called with. */
let called: number[];
let stopped: number;

beforeEach(async () => {
  queue = await LocalQueue.start();
  stopping = new AbortController();
  [called, stopped] = [[], 0];
  looping = new LambdaFunction({
    name: 'looping',
    bundle: new URL('../lambda/lambdas/looping/index.mjs', import.meta.url).href,
    environment: {
      QUEUE_URL: queue.url,
      AWS_LAMBDA_FUNCTION_NAME: 'looping',
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'LOOPING',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_SQS: process.env['AWS_ENDPOINT_URL_SQS'] ?? '',
    },
    log: new PassThrough(),
  });
});

afterEach(async () => {
  stopping.abort();
  await running;
  await looping.close();
  await queue.close();
});

/** Has the function called by the queue that it feeds, and begins the chain. */
async function begin(mayLoop: boolean): Promise<void> {
  running = new QueuePoller({
    lambda: 'looping',
    mayLoop,
    client: queue.pollingClient,
    queue: { url: queue.url, arn: 'arn', region: 'eu-central-1' },
    batchSize: 10,
    concurrency: 2,
    invoke: async (event, trace) => {
      called.push(...(event as SQSEvent).Records.map(({ body }) => Number(body)));
      return await looping.invoke(event, trace);
    },
    failed: () => undefined,
    stopped: (messages) => (stopped += messages),
    signal: stopping.signal,
  }).run();
  await queue.client.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: '1' }));
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(10);
}

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('a function that sends to its own queue', () => {
  test('is called sixteen times, then its message stays in the queue, and the log says so', async () => {
    await begin(false);
    await until(() => stopped > 0);
    expect(called).toEqual(oneTo(longestChain));
    // The call that fed the queue last may still be about to delete its own message.
    let held: string | undefined;
    while (held !== '1') {
      const { Attributes } = await queue.client.send(
        new GetQueueAttributesCommand({ QueueUrl: queue.url, AttributeNames: ['All'] }),
      );
      held = Attributes?.ApproximateNumberOfMessagesNotVisible;
      await wait(10);
    }
  });

  test('continues if it is allowed', async () => {
    await begin(true);
    await until(() => called.length > 50);
    expect(stopped).toBe(0);
  });
});

describe('a chain of calls', () => {
  const record = (AWSTraceHeader?: string) =>
    ({ attributes: { ...(AWSTraceHeader !== undefined && { AWSTraceHeader }) } }) as SQSRecord;

  /** The header after so many calls of the function. */
  function after(calls: number, lambda: string, header?: string): string | undefined {
    let trace = header;
    for (let call = 0; call < calls; call += 1) trace = detectLoops([record(trace)], lambda, true).trace;
    return trace;
  }

  test('counts each function separately', () => {
    const header = after(3, 'b', after(longestChain, 'a'));
    expect(callsIn(readLineage(header), 'a')).toBe(longestChain);
    expect(callsIn(readLineage(header), 'b')).toBe(3);
    expect(detectLoops([record(header)], 'a', false).passed).toEqual([]);
    expect(detectLoops([record(header)], 'b', false).stopped).toEqual([]);
  });

  test('ends without stopping other messages of its batch', () => {
    const [over, fresh] = [record(after(longestChain, 'a')), record()];
    expect(detectLoops([over, fresh], 'a', false)).toMatchObject({ passed: [fresh], stopped: [over] });
  });

  test('is the longest one of several messages', () => {
    const records = [record(after(2, 'a')), record(after(5, 'a')), record()];
    expect(callsIn(readLineage(detectLoops(records, 'a', false).trace), 'a')).toBe(6);
  });

  test.each([undefined, '', 'Root=1-2-3', 'Lineage=', 'Lineage=a|b:c', `${traceHeader()};Lineage=0:x`])(
    'starts anew with the header %p',
    (header) => {
      expect([...readLineage(header)]).toEqual([]);
    },
  );
});
