import { randomUUID } from 'node:crypto';
import { PutCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LaneWatermarks } from '../../../../core/export/delivery/lane-watermark-store.ts';
import { targetKey } from '../../../../core/export/targets/target-item.ts';
import { TargetReadiness } from '../../../../core/export/targets/target-readiness-store.ts';
import { TargetStore } from '../../../../core/export/targets/target-store.ts';
import type { Fault, Target } from '../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

const stream = {
  kind: 'stream' as const,
  streamArn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/events',
  roleArn: 'arn:aws:iam::123456789012:role/omi-events',
  externalId: 'Xk3-9q.7a_2=mm,41',
  lanes: 2,
};
const bucket = {
  kind: 'bucket' as const,
  bucket: 'events-of-example',
  deliveryStreamName: 'omi-example',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
};
const refused: Fault = { actor: 'tenant', code: 'AccessDenied', reason: 'The role cannot be assumed.' };

let client: DynamoDBDocumentClient;
let targets: TargetStore;
let watermarks: LaneWatermarks;
let ref: TargetRef;

beforeAll(async () => {
  client = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(client, 'tenants');
  watermarks = new LaneWatermarks(client, 'tenants');
});
beforeEach(() => {
  ref = { tenantId: randomUUID(), category: 'public' };
});

async function current(): Promise<Target> {
  const target = await targets.find(ref);
  if (!target) throw new Error('The target is gone');
  return target;
}

async function park(lane: string, position: string, parked: number): Promise<void> {
  const counts = { accepted: parked, delivered: 0, parked };
  await watermarks.parked(await current(), { positions: new Map([[lane, position]]), counts, since: 7 });
}

const drain = async (lane: string, position: string) =>
  await watermarks.drained(await current(), {
    watermark: [lane, position],
    counts: { accepted: 0, delivered: 1, parked: -1 },
    parkedAt: 8,
  });

async function active(): Promise<Target> {
  await targets.register(ref, stream, 1);
  await new TargetReadiness(client, 'tenants').verified(await current(), 2);
  return await current();
}

describe('a target', () => {
  test('begins with its validation, and without waiting events', async () => {
    await targets.register(ref, stream, 1, ['UserCreatedEvent']);
    expect(await current()).toEqual({
      ...ref,
      destination: stream,
      types: ['UserCreatedEvent'],
      state: 'validating',
      stateSince: 1,
      acceptedCount: 0,
      deliveredCount: 0,
      parkedCount: 0,
      parkedThrough: {},
      drainedThrough: {},
      waitingSince: {},
    });
  });

  test('keeps what waits and is validated again at another destination', async () => {
    await targets.transition(await active(), 'park', 3, { fault: refused });
    await park('0/2', '0001', 4);
    await targets.register(ref, bucket, 5);
    expect(await current()).toMatchObject({
      destination: bucket,
      state: 'validating',
      parkedCount: 4,
      parkedThrough: { '0/2': '0001' },
    });
    expect((await current()).fault).toBeUndefined();
    expect((await current()).types).toBeUndefined();
  });

  test('needs no validation when its kind is none', async () => {
    await targets.register(ref, { kind: 'none' }, 1);
    expect((await current()).state).toBe('active');
  });

  test('is read together with many others, apart from malformed records', async () => {
    await active();
    const others = Array.from({ length: 230 }, (): TargetRef => ({
      tenantId: randomUUID(),
      category: 'log',
    }));
    for (const other of others.slice(0, 110)) await targets.register(other, bucket, 1);
    const broken: TargetRef = { tenantId: ref.tenantId, category: 'log' };
    await client.send(new PutCommand({ TableName: 'tenants', Item: { ...targetKey(broken), state: 'odd' } }));

    const found = await targets.load([ref, ref, broken, ...others]);
    expect(found.targets.size).toBe(111);
    expect([...found.malformed]).toEqual([`${broken.tenantId}#log`]);
  });
});

test('targets of a large batch are read by parallel calls', async () => {
  const gated = await testDatabase({ tenants: 'tenants' });
  const refs = Array.from({ length: 230 }, (): TargetRef => ({ tenantId: randomUUID(), category: 'log' }));
  const everyCall = Promise.withResolvers<undefined>();
  let calls = 0;
  gated.middlewareStack.add(
    (next) => async (args) => {
      calls += 1;
      if (calls === 3) everyCall.resolve(undefined);
      await everyCall.promise;
      return await next(args);
    },
    { step: 'initialize' },
  );
  expect((await new TargetStore(gated, 'tenants').load(refs)).targets.size).toBe(0);
  expect(calls).toBe(3);
});

describe('a state', () => {
  test('follows the rows of the table, and has a reason', async () => {
    const target = await active();
    expect(await targets.transition(target, 'park', 3, { fault: refused })).toBe(true);
    expect(await current()).toMatchObject({ state: 'parked', stateSince: 3, fault: refused });

    expect(await targets.transition(await current(), 'recover', 4)).toBe(true);
    expect(await current()).toMatchObject({ state: 'degraded', stateSince: 4 });
    expect((await current()).fault).toBeUndefined();
  });

  test('does not move when no row begins there', async () => {
    const target = await active();
    await targets.transition(target, 'pause', 3);
    expect(await targets.transition(target, 'park', 4, { fault: refused })).toBe(false);
    expect((await current()).state).toBe('paused');
  });

  test('keeps its time when it stays, with a new reason', async () => {
    await targets.transition(await active(), 'park', 3, { fault: refused });
    const gone: Fault = { ...refused, code: 'ResourceNotFoundException' };
    await targets.transition(await current(), 'park', 9, { fault: gone });
    expect(await current()).toMatchObject({ state: 'parked', stateSince: 3, fault: gone });
  });

  test('becomes active again when everything is drained, unless more was parked since', async () => {
    await targets.transition(await active(), 'park', 3, { fault: refused });
    await park('0/2', '0001', 2);
    const seen = await drain('0/2', '0001');
    if (!seen) throw new Error('The target is gone');

    await park('1/2', '0002', 1);
    expect(await targets.drain(seen, 4)).toBe(false);
    expect((await current()).state).toBe('parked');

    const now = await drain('1/2', '0002');
    expect(now && (await targets.drain(now, 5))).toBe(true);
    expect(await current()).toMatchObject({
      state: 'active',
      parkedCount: 0,
      stateSince: 5,
      waitingSince: {},
    });
  });

  test('keeps its time as active after a replay went through, and its count begins again', async () => {
    await active();
    await park('0/2/replay', '0001', 3);
    const seen = await drain('0/2/replay', '0001');
    expect(seen && (await targets.drain(seen, 9))).toBe(true);
    expect(await current()).toMatchObject({ state: 'active', stateSince: 2, parkedCount: 0 });
  });
});
