import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { hours } from '../../../core/kernel/time.ts';
import { createHandler } from '../../../lambdas/replay-events/handler.ts';
import { replayPace } from '../../../core/export/replays/replay-events.ts';
import { ExportWorld, series } from '../../support/export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(() => world.cloud.faults.clear());
afterAll(async () => await world.close());

const at = Date.now() - 3 * hours;

async function begun() {
  const { ref } = await world.streamTarget();
  await world.record(ref, series('a', 1, 1), at);
  const replay = await world.startReplay({ ...ref, from: at, to: at + 1 });
  return { replay, Records: await world.receiveReplays() };
}

const handle = async (Records: SQSRecord[]) =>
  await createHandler(world.replays, { ...replayPace, index: 0 })({ Records });
const failed = (Records: SQSRecord[]) => ({
  batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

test('a completed step reports the progress of the replay', async () => {
  const { replay, Records } = await begun();
  expect(Records).toHaveLength(1);
  expect(await handle(Records)).toEqual({ batchItemFailures: [] });
  expect(await world.progress(replay)).toMatchObject({ state: 'done', eventsSent: 1 });
  await world.settleReplays(Records, true);
});

test.each([
  ['the events', { service: 'dynamodb', operation: 'Query' }],
  ['the target', { service: 'dynamodb', operation: 'BatchGetItem' }],
  ['the parking queue', { service: 'sqs', operation: 'SendMessageBatch' }],
] as const)('a step is repeated while %s cannot be reached', async (_, fault) => {
  const { replay, Records } = await begun();
  world.cloud.faults.add({ ...fault, fault: 'access-denied' });
  expect(await handle(Records)).toEqual(failed(Records));
  expect((await world.progress(replay)).state).toBe('running');
  world.cloud.faults.clear();
  expect(await handle(Records)).toEqual({ batchItemFailures: [] });
  await world.settleReplays(Records, true);
});

test('a step that waits for the previous portion is delayed, without a new message', async () => {
  const { ref } = await world.streamTarget();
  await world.record(ref, series('a', 1, 1), at);
  const range = { ...ref, from: at, to: at + 1 };
  await world.startReplay(range);
  const first = await world.receiveReplays();
  await handle(first);
  await world.settleReplays(first, true);
  await world.startReplay(range);
  const sent = world.callsOf('SendMessage', 'replays');
  const held = world.callsOf('ChangeMessageVisibilityBatch', 'replays');
  const second = await world.receiveReplays();
  expect(await handle(second)).toEqual(failed(second));
  expect(world.callsOf('SendMessage', 'replays')).toBe(sent);
  expect(world.callsOf('ChangeMessageVisibilityBatch', 'replays')).toBe(held + 1);
  expect(await world.receiveReplays()).toEqual([]);
  await world.settleReplays(second, true);
});

test('a message of an unknown sender stays, and the others are done', async () => {
  const { Records } = await begun();
  const stray = { ...Records[0], messageId: 'stray', body: '{"replayId":"x"}' } as SQSRecord;
  expect(await handle([stray, ...Records])).toEqual(failed([stray]));
  await world.settleReplays(Records, true);
});
