import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LastTestStore } from '../../../../core/export/targets/last-test-store.ts';
import { requestTest } from '../../../../core/export/verification/request-test.ts';
import {
  readVerificationRequest,
  VerificationQueue,
} from '../../../../core/export/verification/verification-queue.ts';
import { LocalQueue } from '../../../support/local-queue.ts';
import { VerificationWorld } from '../../../support/verification-world.ts';

let world: VerificationWorld;
let queue: LocalQueue;

beforeAll(async () => {
  world = await VerificationWorld.start();
  queue = await LocalQueue.start();
});
beforeEach(() => queue.reset());
afterAll(async () => {
  await queue.close();
  await world.close();
});

const deps = () => ({
  queue: new VerificationQueue(queue.client, queue.url),
  lastTests: new LastTestStore(world.exports.dynamodb, 'tenants'),
});

test('a request sends a message and records a waiting test', async () => {
  const { ref } = await world.streamTarget();
  const asked = await requestTest(deps(), { ...ref, proof: 'what-it-read' }, 5);
  expect(asked).toEqual(await world.target(ref));
  const [message] = await queue.receive();
  expect(asked?.lastTest).toEqual({ id: message?.messageId, requestedAt: 5, outcome: 'waiting' });
  expect(readVerificationRequest(message?.body ?? '')).toEqual({ ...ref, proof: 'what-it-read' });
});

test('a request that is recorded late does not hide that its test has begun', async () => {
  const { ref } = await world.streamTarget();
  const { lastTests } = deps();
  await lastTests.asked(ref, { id: 'the-same', requestedAt: 1 });
  await lastTests.asked(ref, { id: 'the-same', requestedAt: 2 });
  expect((await world.target(ref)).lastTest).toMatchObject({ requestedAt: 1 });
});

test('a request for a missing target makes no record', async () => {
  const ref = { tenantId: randomUUID(), category: 'log' as const };
  expect(await requestTest(deps(), ref, 5)).toBeUndefined();
  await expect(world.target(ref)).rejects.toThrow();
});

test('a message that SQS refuses leaves no waiting test', async () => {
  const { ref } = await world.streamTarget();
  queue.faults.add({ service: 'sqs', fault: 'unavailable' });
  await expect(requestTest(deps(), ref, 5)).rejects.toThrow();
  expect(await world.target(ref)).not.toHaveProperty('lastTest');
});

test('another destination has never been tested', async () => {
  const { ref, destination } = await world.streamTarget();
  await requestTest(deps(), ref, 5);
  await world.register(ref, { ...destination, lanes: 4 });
  expect(await world.target(ref)).not.toHaveProperty('lastTest');
});
