import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RecoveryCheckQueue } from '../../../../core/export/delivery/recovery-check-queue.ts';
import { detectLoops } from '../../../../tools/local/event-sources/loop-detection.ts';
import { callsIn, longestChain, readLineage } from '../../../../tools/local/lambda/lineage.ts';
import { LocalQueue } from '../../../support/local-queue.ts';

const lambda = 'redeliver-events';
const target = { tenantId: 'a', category: 'log', parkedThrough: {}, drainedThrough: {} } as const;
const variables = ['AWS_LAMBDA_FUNCTION_NAME', '_X_AMZN_TRACE_ID'] as const;

let queue: LocalQueue;
beforeEach(async () => {
  queue = await LocalQueue.start('parking.fifo');
});
afterEach(async () => {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
  await queue.close();
});

/** The process as Lambda calls it with these messages. */
function callWith(records: Parameters<typeof detectLoops>[0]): void {
  const values = [lambda, detectLoops(records, lambda, false).trace];
  for (const [index, name] of variables.entries()) process.env[name] = values[index];
}

test('checks carry no trace, so Lambda never stops them as a loop', async () => {
  const checks = new RecoveryCheckQueue(queue.client, queue.url);
  callWith([]);
  for (let call = 0; call <= longestChain; call += 1) {
    await checks.ask(target);
    const records = await queue.receive();
    expect([call, records.length, detectLoops(records, lambda, false).stopped]).toEqual([call, 1, []]);
    callWith(records);
  }
});

test('any other message carries the trace of the call', async () => {
  callWith([]);
  const command = {
    QueueUrl: queue.url,
    MessageBody: 'any',
    MessageGroupId: 'a',
    MessageDeduplicationId: 'a',
  };
  await queue.client.send(new SendMessageCommand(command));
  const [record] = await queue.receive();
  expect(callsIn(readLineage(record?.attributes.AWSTraceHeader), lambda)).toBe(1);
});
