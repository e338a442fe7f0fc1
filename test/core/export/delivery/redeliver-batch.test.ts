import { randomUUID } from 'node:crypto';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { targetKey } from '../../../../core/export/targets/target-item.ts';
import { laneIndex } from '../../../../core/export/targets/lanes.ts';
import { isDrained } from '../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { perRedelivery } from '../../../../core/export/delivery/redeliver-lane.ts';
import { redeliverBatch } from '../../../../core/export/delivery/redeliver-batch.ts';
import { ExportWorld, series } from '../../../support/export-world.ts';

let world: ExportWorld;
beforeAll(async () => {
  world = await ExportWorld.start();
});
afterEach(async () => {
  world.cloud.faults.clear();
  await world.remove(await world.receive());
});
afterAll(async () => await world.close());

/** A target with so many batches of two events that wait; the stream itself is well again. */
async function parked({ batches = 1, lanes = 1 } = {}) {
  const made = await world.streamTarget({ lanes });
  const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: made.name });
  for (let batch = 0; batch < batches; batch += 1)
    await world.export(world.records(made.ref, series('a', 2 * batch + 1, 2)));
  world.cloud.faults.remove(id);
  return made;
}

describe('parked events', () => {
  test('are delivered in order, and then the target is active', async () => {
    const { ref, name } = await parked({ batches: 3 });
    await world.redeliver(1);
    // Recovered, and catching up.
    expect(await world.target(ref)).toMatchObject({
      state: 'degraded',
      acceptedCount: 6,
      deliveredCount: 2,
      parkedCount: 4,
    });
    await world.drain(ref);
    expect(await world.target(ref)).toMatchObject({
      state: 'active',
      deliveredCount: 6,
      parkedCount: 0,
      waitingSince: {},
    });
    expect((await world.target(ref)).fault).toBeUndefined();
    expect(await world.consumed(name)).toEqual(series('a', 1, 6));
  });

  test('are delivered to a target that takes two seconds per call', async () => {
    const { ref, name } = await parked({ batches: 2 });
    const slow = { service: 'kinesis', fault: 'slow', delayMs: 2_000, resource: name } as const;
    const { id } = world.cloud.faults.add(slow);
    await world.redeliver(1, world.deployed);
    // Recovered, although slow: nobody has to act any more.
    expect(await world.target(ref)).toMatchObject({
      state: 'degraded',
      fault: { actor: 'nobody', code: 'Slow' },
      deliveredCount: 2,
    });
    world.cloud.faults.remove(id);
    await world.drain(ref);
    expect(await world.target(ref)).toMatchObject({ state: 'active', deliveredCount: 4, parkedCount: 0 });
    expect(await world.consumed(name)).toEqual(series('a', 1, 4));
  });

  test('are delivered once to a target whose call takes longer than the time for all calls', async () => {
    const { ref, name } = await parked({ batches: 2 });
    const delayMs = perRedelivery.calls + 500;
    const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'slow', delayMs, resource: name });
    await world.redeliver(1);
    world.cloud.faults.remove(id);
    expect(await world.target(ref)).toMatchObject({ deliveredCount: 2 });
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 4));
  });

  test('have waited since the last delivered one was parked', async () => {
    const { ref } = await parked({ batches: 2 });
    const [message] = await world.receive(1);
    if (!message) throw new Error('Nothing was parked');
    const began = (await world.target(ref)).waitingSince['0/1'];
    await redeliverBatch(world.deps, [message]);
    const parkedAt = Number(message.attributes.SentTimestamp);
    expect(began).toBeLessThanOrEqual(parkedAt);
    expect((await world.target(ref)).waitingSince).toEqual({ '0/1': parkedAt });
    await world.remove([message]);
    await world.drain(ref);
  });

  test('share a record if they are of one lane', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 1 });
    const message = (position: number, n: number): SQSRecord => ({
      messageId: String(n),
      receiptHandle: randomUUID(),
      body: `{"events":[{"metadata":{"key":"a","n":${n}}}]}`,
      attributes: {
        MessageGroupId: `${ref.tenantId}#${ref.category}#0/1`,
        SequenceNumber: String(position),
        ApproximateReceiveCount: '1',
        ApproximateFirstReceiveTimestamp: '',
        SenderId: '',
        SentTimestamp: '',
      },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: '',
      eventSourceARN: '',
      awsRegion: '',
    });
    expect(await redeliverBatch(world.deps, [message(7, 1), message(8, 2), message(9, 3)])).toEqual([]);
    expect(await world.read(name)).toHaveLength(1);
    expect(await world.consumed(name)).toEqual(series('a', 1, 3));
  });

  test('are sent once although the record of their target could not be written, and their lane waits a second', async () => {
    const { ref, name } = await parked({ batches: 2 });
    const messages = await world.receive();
    const { id } = world.cloud.faults.add({
      ...({ service: 'dynamodb', fault: 'unavailable', operation: 'UpdateItem' } as const),
    });
    const held: number[] = [];
    const parking = {
      park: world.deps.parking.park.bind(world.deps.parking),
      hold: async (_: unknown, wait: number) => await Promise.resolve(void held.push(wait)),
    };
    const deps = { ...world.deps, parking };
    expect(await redeliverBatch(deps, messages)).toHaveLength(2);
    expect(held).toEqual([1]);
    world.cloud.faults.remove(id);
    expect(await redeliverBatch(deps, messages)).toEqual([]);
    await world.remove(messages);
    expect((await world.read(name)).length).toBe(1);
    expect(await world.target(ref)).toMatchObject({ state: 'active', deliveredCount: 4, parkedCount: 0 });
  });

  test('are released early although SQS fails at first, so their lane does not wait for its visibility timeout', async () => {
    const { ref, name } = await parked();
    const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'not-found', resource: name });
    const operation = 'ChangeMessageVisibilityBatch';
    world.cloud.faults.add({ service: 'sqs', fault: 'unavailable', operation, times: 2 });
    const held = () => world.cloud.calls.list().filter((call) => call.operation === operation).length;
    const before = held();
    expect(await world.redeliver()).toEqual({ done: 0, left: 1 });
    expect(held() - before).toBe(3);
    world.cloud.faults.remove(id);
    await world.drain(ref);
  });

  test('stay while their target refuses, and are retried later', async () => {
    const { ref, name } = await parked();
    const { id } = world.cloud.faults.add({ service: 'kinesis', fault: 'not-found', resource: name });
    expect(await world.redeliver()).toEqual({ done: 0, left: 1 });
    expect(await world.redeliver()).toEqual({ done: 0, left: 0 });
    expect(await world.target(ref)).toMatchObject({
      state: 'parked',
      fault: { actor: 'tenant', code: 'ResourceNotFoundException' },
    });

    world.cloud.faults.remove(id);
    await world.drain(ref);
    expect(await world.consumed(name)).toEqual(series('a', 1, 2));
  });

  test('do not wait for those of other targets', async () => {
    const [bad, good] = [await parked(), await parked()];
    world.cloud.faults.add({ service: 'kinesis', fault: 'access-denied', resource: bad.name });
    expect(await world.redeliver()).toEqual({ done: 1, left: 1 });
    expect(await world.consumed(good.name)).toEqual(series('a', 1, 2));
  });

  test('go to the current destination of the target, as lines if that is a bucket', async () => {
    const { ref } = await parked();
    const { name, destination } = await world.bucketTarget();
    await world.deps.targets.register(ref, destination, Date.now());
    await world.validate(ref);
    await world.redeliver();
    expect(await world.written(name)).toMatch(/^\{"events":\[\{.*\},\{.*\}\]\}\n$/);
  });

  test('are dropped when the tenant no longer wants events', async () => {
    const { ref } = await parked();
    await world.deps.targets.register(ref, { kind: 'none' }, Date.now());
    expect(await world.redeliver()).toEqual({ done: 1, left: 0 });
    expect(isDrained(await world.target(ref))).toBe(true);
    expect(await world.target(ref)).toMatchObject({ deliveredCount: 0, parkedCount: 0 });
  });

  test('are dropped when the target is deleted', async () => {
    const { ref } = await parked();
    await world.dynamodb.send(new DeleteCommand({ TableName: 'tenants', Key: targetKey(ref) }));
    expect(await world.redeliver()).toEqual({ done: 1, left: 0 });
  });

  test("stay while the target's item is malformed", async () => {
    const { ref } = await parked();
    await world.dynamodb.send(
      new UpdateCommand({
        TableName: 'tenants',
        Key: targetKey(ref),
        UpdateExpression: 'SET destination.streamArn = :arn',
        ExpressionAttributeValues: { ':arn': 'no ARN' },
      }),
    );
    expect(await world.redeliver()).toEqual({ done: 0, left: 1 });
    expect(await world.export(world.records(ref, series('a', 3, 1)))).toEqual([]);
    expect(await world.deadLetters()).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('malformed') as unknown }),
    ]);
  });

  test('are moved aside when they are malformed', async () => {
    const { ref } = await parked();
    const [message] = await world.receive();
    if (!message) throw new Error('Nothing was parked');
    const stray = { ...message, attributes: { ...message.attributes, MessageGroupId: 'stray' } };
    expect(await redeliverBatch(world.deps, [stray])).toEqual([]);
    expect(await world.deadLetters()).toHaveLength(1);
    expect(isDrained(await world.target(ref))).toBe(false);
    await world.remove([message]);
  });
});

/** A key that falls into this lane. */
function keyInLane({ tenantId }: TargetRef, lane: number, lanes: number): string {
  let number = 0;
  while (laneIndex(`${tenantId}#key-${number}`, lanes) !== lane) number += 1;
  return `key-${number}`;
}

describe('later events', () => {
  test('keep their order when the redelivery crashes after it delivered, and the same events are repeated before them', async () => {
    const { ref, name } = await parked();
    const messages = await world.receive();
    await redeliverBatch(world.deps, messages);
    await world.release(messages);

    await world.export(world.records(ref, series('a', 3, 1)));
    await world.redeliver();
    expect(await world.consumed(name)).toEqual([
      ...series('a', 1, 2),
      ...series('a', 3, 1),
      ...series('a', 1, 2),
    ]);
    expect(isDrained(await world.target(ref))).toBe(true);
  });

  test('keep their order when the queue loses parked events: the lane waits only until the next is delivered', async () => {
    const { ref, name } = await parked();
    await world.remove(await world.receive());
    await world.export(world.records(ref, series('a', 3, 1)));
    expect(isDrained(await world.target(ref))).toBe(false);

    await world.drain(ref);
    await world.export(world.records(ref, series('a', 4, 1)));
    expect(await world.consumed(name)).toEqual(series('a', 3, 2));
    expect((await world.receive()).length).toBe(0);
  });

  test('keep their order in each lane separately: lanes in which nothing waits continue', async () => {
    const { ref, name } = await world.streamTarget({ lanes: 2 });
    const [a, b] = [keyInLane(ref, 0, 2), keyInLane(ref, 1, 2)];
    world.cloud.faults.add({ service: 'kinesis', fault: 'throttle', resource: name });
    await world.exportInTime(world.records(ref, series(a, 1, 1)));
    expect((await world.target(ref)).state).toBe('degraded');
    world.cloud.faults.clear();

    await world.export(world.records(ref, [...series(a, 2, 1), ...series(b, 1, 1)]));
    expect(await world.consumed(name)).toEqual(series(b, 1, 1));
    await world.drain(ref);
    expect((await world.consumed(name)).filter(({ key }) => key === a)).toEqual(series(a, 1, 2));
  });
});
