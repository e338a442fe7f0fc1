import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readDeliveryLog } from '../../../../../../core/export/kinds/bucket/reports/delivery-log.ts';
import type { DeliveryMetrics } from '../../../../../../core/export/kinds/bucket/reports/delivery-metrics-client.ts';
import { findLateBuckets } from '../../../../../../core/export/kinds/bucket/reports/find-late-buckets.ts';
import { firehoseFault } from '../../../../../../core/export/kinds/bucket/reports/firehose-errors.ts';
import { judgeBucket } from '../../../../../../core/export/kinds/bucket/reports/judge-bucket.ts';
import {
  reportErrors,
  type ReportDeps,
} from '../../../../../../core/export/kinds/bucket/reports/report-errors.ts';
import {
  watchBuckets,
  type Watched,
} from '../../../../../../core/export/kinds/bucket/reports/watch-buckets.ts';
import { WatchedBuckets } from '../../../../../../core/export/targets/watched-bucket-store.ts';
import { LaneWatermarks } from '../../../../../../core/export/delivery/lane-watermark-store.ts';
import { BucketReports } from '../../../../../../core/export/kinds/bucket/reports/bucket-report-store.ts';
import { GivenUpEvents } from '../../../../../../core/export/targets/given-up-store.ts';
import { nextProgress, writingTime } from '../../../../../../core/export/targets/firehose-progress.ts';
import { TargetReadiness } from '../../../../../../core/export/targets/target-readiness-store.ts';
import { describeTargetStatus, shownState } from '../../../../../../core/export/targets/target-status.ts';
import { TargetStore } from '../../../../../../core/export/targets/target-store.ts';
import type { BucketDestination } from '../../../../../../core/export/kinds/bucket/record.ts';
import type { Target } from '../../../../../../core/export/targets/target.ts';
import type { TargetRef } from '../../../../../../core/events/target-ref.ts';
import { logger } from '../../../../../../core/kernel/observability.ts';
import { hours, minutes } from '../../../../../../core/kernel/time.ts';
import { testDatabase } from '../../../../../support/dynamodb.ts';

const prefix = 'omi-test-';
/** All times of these tests follow this one. */
const begin = Date.parse('2026-11-20T08:00:00Z');

let client: DynamoDBDocumentClient;
let targets: TargetStore;
let reports: BucketReports;
let watched: WatchedBuckets;
let ref: TargetRef;
let destination: BucketDestination;
let tests: TargetRef[];

beforeAll(async () => {
  logger.setLogLevel('SILENT');
  client = await testDatabase({ tenants: 'tenants' });
  targets = new TargetStore(client, 'tenants');
  reports = new BucketReports(client, 'tenants');
  watched = new WatchedBuckets(client, 'tenants');
});

const depsOf = (): ReportDeps => ({
  ...{ targets, reports, watched, deliveryStreamPrefix: prefix },
  requestTest: async (one) => await Promise.resolve(tests.push(one)),
});

beforeEach(async () => {
  tests = [];
  ref = { tenantId: randomUUID(), category: 'log' };
  destination = {
    kind: 'bucket',
    bucket: `events-of-${ref.tenantId}`,
    deliveryRoleArn: `arn:aws:iam::000000000000:role/delivery-${ref.tenantId}`,
    deliveryStreamName: `${prefix}${ref.tenantId}-log`,
  };
  await targets.register(ref, destination, begin);
  const readiness = new TargetReadiness(client, 'tenants');
  await readiness.provisioned({ ...ref, destination }, begin, 60);
  await readiness.verified({ ...ref, destination }, begin);
});

async function current(): Promise<Target> {
  const target = await targets.find(ref);
  if (!target) throw new Error('The target is gone');
  return target;
}

/** As the exporter writes it. */
async function deliver(events: number, at: number): Promise<void> {
  const firehoseProgress = nextProgress(await current(), at - 1_000, at);
  const counts = { accepted: events, delivered: events, parked: 0 };
  await new LaneWatermarks(client, 'tenants').counted(ref, counts, firehoseProgress);
}

const errorAt = (at: number, code = 'S3.NoSuchBucket') => ({
  deliveryStream: destination.deliveryStreamName,
  bucket: destination.bucket,
  code,
  message: 'The specified bucket does not exist.',
  at,
});

const report = async (at: number, code?: string) => await reportErrors(depsOf(), [errorAt(at, code)]);

/** Other tests leave buckets in trouble. */
const watch = async (measured: DeliveryMetrics, now: number): Promise<Watched> => {
  const { requestTest } = depsOf();
  const latest = async (streams: readonly string[]): Promise<DeliveryMetrics[]> =>
    await Promise.resolve(streams.map((name) => (name === destination.deliveryStreamName ? measured : {})));
  return await watchBuckets({ targets, reports, watched, requestTest, metrics: { latest } }, now);
};

async function isWatched(): Promise<boolean> {
  const found: TargetRef[] = [];
  for await (const page of watched.pages()) found.push(...page);
  return found.some(({ tenantId }) => tenantId === ref.tenantId);
}

describe('an error that Firehose reports', () => {
  test('degrades the target, with the reason and the events known to be in the bucket, and requests a test', async () => {
    const time = writingTime(await current());
    await deliver(10, begin);
    await deliver(5, begin + 2 * time);
    await report(begin + 2 * time + 5_000);
    const target = await current();
    expect(target).toMatchObject({
      state: 'degraded',
      fault: { actor: 'tenant', code: 'Firehose.S3.NoSuchBucket' },
      bucketTrouble: { writtenCount: 10, lastErrorAt: begin + 2 * time + 5_000 },
    });
    const status = describeTargetStatus(target, begin + 10 * time);
    expect(status).toMatchObject({ accepted: 15, delivered: 15, inBucket: 10, actor: 'tenant' });
    expect(status.reason).toMatch(/does not exist.*must create it again/);
    expect(tests).toEqual([ref]);
    expect(await isWatched()).toBe(true);
  });

  test('requests only one test, however often it is repeated', async () => {
    await report(begin + 1);
    await report(begin + 60_000, 'S3.AccessDenied');
    expect(tests).toHaveLength(1);
    expect((await current()).bucketTrouble).toMatchObject({
      since: begin + 1,
      lastErrorAt: begin + 60_000,
      code: 'Firehose.S3.AccessDenied',
    });
  });

  test('keeps the target from becoming active until Firehose has written', async () => {
    await deliver(3, begin);
    await report(begin + 1);
    expect(await targets.drain(await current(), begin + 2)).toBe(false);
    expect((await current()).state).toBe('degraded');
  });

  test('changes nothing for another bucket, another delivery stream or an unknown one', async () => {
    const before = await current();
    const error = errorAt(begin);
    await reportErrors(depsOf(), [
      { ...error, bucket: 'an-earlier-one' },
      { ...error, deliveryStream: `${prefix}${randomUUID()}-log` },
      { ...error, deliveryStream: 'somebody-elses' },
    ]);
    expect(await current()).toEqual(before);
    expect(tests).toEqual([]);
  });

  test('is written at the next attempt when another write came first', async () => {
    let isOvertaken = true;
    const overtaken = {
      failing: async (...report: Parameters<BucketReports['failing']>) => {
        if (isOvertaken) await deliver(1, begin);
        // As if that had changed the report.
        const isWritten = !isOvertaken && (await reports.failing(...report));
        isOvertaken = false;
        return isWritten;
      },
    };
    await reportErrors({ ...depsOf(), reports: overtaken }, [errorAt(begin)]);
    expect(await current()).toMatchObject({ deliveredCount: 1, bucketTrouble: { lastErrorAt: begin } });
    expect(tests).toEqual([ref]);
  });

  test('is thrown after the others are written when it cannot be written, so that it is repeated', async () => {
    const broken = { failing: async () => await Promise.resolve(false) };
    const write = reportErrors({ ...depsOf(), reports: broken }, [errorAt(begin)]);
    await expect(write).rejects.toThrow('Some reports could not be written');
    let isFirst = true;
    const unsteady = {
      failing: async (...report: Parameters<BucketReports['failing']>) => {
        if (!isFirst) return await reports.failing(...report);
        isFirst = false;
        throw new Error('throttled');
      },
    };
    const both = [errorAt(begin), errorAt(begin + 1)];
    await expect(reportErrors({ ...depsOf(), reports: unsteady }, both)).rejects.toThrow(AggregateError);
    expect((await current()).bucketTrouble).toMatchObject({ lastErrorAt: begin + 1 });
  });

  test.each([
    // All that Firehose's guide has for S3, and what a disabled key leads to.
    ['S3.KMS.NotFoundException', 'tenant', /key/],
    ['S3.KMS.DisabledException', 'tenant', /key/],
    ['KMS.DisabledException', 'tenant', /key/],
    ['S3.KMS.RequestLimitExceeded', 'nobody', /tries again for 24 hours/],
    ['S3.AccessDenied', 'tenant', /bucket policy.*operator must check the delivery role/],
    ['S3.MethodNotAllowed', 'tenant', /bucket policy/],
    ['S3.NoSuchBucket', 'tenant', /create it again/],
    ['S3.AccountProblem', 'tenant', /AWS account/],
    ['S3.AllAccessDisabled', 'tenant', /AWS account/],
    ['S3.InvalidPayer', 'tenant', /AWS account/],
    ['S3.NotSignedUp', 'tenant', /AWS account/],
    ['InternalError', 'nobody', /tries again for 24 hours/],
  ])('%s: action required by %s', (code, actor, words) => {
    const fault = firehoseFault(code, '');
    expect(fault.actor).toBe(actor);
    expect(fault.reason).toMatch(words);
  });
});

test('an error that the service does not know is for the operator once it has gone on for 15 minutes', async () => {
  const actorAfter = async (minutesPassed: number) => {
    await report(begin + minutesPassed * minutes, 'S3.SomethingNew');
    return (await current()).bucketTrouble?.actor;
  };
  expect([await actorAfter(0), await actorAfter(14), await actorAfter(15)]).toEqual([
    ...['nobody', 'nobody'],
    'operator',
  ]);
});

describe('a bucket in trouble', () => {
  test('recovers when Firehose wrote after its last error and holds no old records', async () => {
    await deliver(3, begin);
    await report(begin + 60_000);
    const now = begin + 120_000;
    await watch({ success: { at: begin + 30_000, value: 1 } }, now);
    expect((await current()).state).toBe('degraded');
    await watch({ success: { at: now, value: 1 }, freshness: { at: now, value: 130 } }, now);
    expect((await current()).state).toBe('degraded');
    await watch({ success: { at: now, value: 1 }, freshness: { at: now, value: 0 } }, now);
    const target = await current();
    expect(target.bucketTrouble).toBeUndefined();
    expect(target).toMatchObject({ state: 'active', stateSince: now });
    // A test finds what is under `errors/`.
    expect(tests).toEqual([ref, ref]);
    expect(describeTargetStatus(target, now + hours).inBucket).toBe(3);
    await watch({}, now);
    expect(await isWatched()).toBe(false);
  });

  test('states which events are in it while Firehose continues', async () => {
    const time = writingTime(await current());
    await deliver(10, begin);
    await deliver(5, begin + time - 1);
    await report(begin + time - 1);
    expect((await current()).bucketTrouble?.writtenCount).toBe(0);
    const now = begin + time / 2 + 60_000;
    await watch({ freshness: { at: now, value: 60 } }, now);
    expect((await current()).bucketTrouble?.writtenCount).toBe(10);
  });

  test('names what Firehose gave up after a day, with the replay that brings it back', async () => {
    await deliver(7, begin);
    await report(begin + 60_000);
    const now = begin + 24 * hours + 1_000;
    await watch({ success: { at: now, value: 0 } }, now);
    const status = describeTargetStatus(await current(), now);
    expect(status).toMatchObject({ delivered: 7, inBucket: 0 });
    expect(status.givenUp).toMatchObject({
      count: 7,
      losses: [{ events: 7, reason: expect.stringContaining('24 hours') as unknown }],
    });
    const [given] = status.givenUp?.losses ?? [];
    expect(Date.parse(given?.from ?? '')).toBeLessThan(begin - 1_000);
    expect(Date.parse(given?.to ?? '')).toBeGreaterThanOrEqual(begin);

    await new GivenUpEvents(client, 'tenants').replayed(ref, { from: begin - hours, to: begin });
    expect((await current()).givenUp).toHaveLength(1);
    await new GivenUpEvents(client, 'tenants').replayed(ref, { from: begin - hours, to: now });
    const after = describeTargetStatus(await current(), now);
    expect(after).not.toHaveProperty('givenUp');
    expect(after.inBucket).toBe(7);
  });

  test('keeps its known losses when a later loss cannot be counted', async () => {
    const losses = new GivenUpEvents(client, 'tenants');
    const old = { cause: 'errors' as const, from: begin, to: begin + 1, events: 2 };
    const late = { cause: 'errors' as const, from: begin + hours, to: begin + 2 * hours };
    expect(await losses.failed(await current(), { given: old, count: 2 }, begin)).toBe(true);
    const seen = await current();
    expect(await losses.failed(seen, { given: late, count: 0 }, begin)).toBe(true);
    // The record has changed since it was read.
    expect(await losses.failed(seen, { given: late, count: 0 }, begin)).toBe(false);
    await losses.replayed(ref, { from: begin + 1, to: begin + 3 * hours });
    expect(await current()).toMatchObject({ givenUp: [old], lostCount: 2 });
    expect(await losses.failed(await current(), { given: late, count: 0 }, begin)).toBe(true);
    await losses.replayed(ref, { from: begin, to: begin + 1 });
    expect((await current()).givenUp).toEqual([late]);
    expect(await current()).not.toHaveProperty('lostCount');
    // Two replays that end at once.
    expect(await losses.failed(await current(), { given: old, count: 2 }, begin)).toBe(true);
    let isFirst = true;
    client.middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          if (isFirst && commandName.startsWith('Update')) {
            isFirst = false;
            await losses.replayed(ref, late);
          }
          return await next(args);
        },
      { name: 'overtake' },
    );
    await losses.replayed(ref, old);
    client.middlewareStack.remove('overtake');
    expect(isFirst).toBe(false);
    expect(await current()).not.toHaveProperty('givenUp');
    await losses.replayed(ref, old);
    const nobody = { ...ref, tenantId: randomUUID() };
    await losses.replayed(nobody, old);
    expect(await targets.find(nobody)).toBeUndefined();
  });

  test('gives up what Firehose still held when another destination replaces it', async () => {
    await deliver(4, begin);
    await report(begin + 60_000);
    await targets.register(ref, { kind: 'none' }, begin + 61_000);
    await watch({}, begin + 62_000);
    const target = await current();
    expect(target.bucketTrouble).toBeUndefined();
    expect(target.givenUp).toMatchObject([{ cause: 'replaced', events: 4 }]);
    expect(tests).toHaveLength(1);
  });

  test('stays watched, and counts as incomplete, until somebody replays or dismisses what was given up', async () => {
    const losses = new GivenUpEvents(client, 'tenants');
    await deliver(4, begin);
    await losses.failed(
      await current(),
      { given: { cause: 'errors', from: begin, to: begin + 1_000 }, count: 0 },
      begin,
    );
    await watched.add(ref);
    const { incomplete } = await watch({}, begin + 62_000);
    expect(incomplete).toBeGreaterThan(0);
    expect(await isWatched()).toBe(true);
    expect(shownState(await current(), begin)).toBe('degraded');
    expect(await losses.dismissed(await current(), begin + 63_000, [])).toBe(true);
    expect(shownState(await current(), begin)).toBe('active');
    expect((await watch({}, begin + 64_000)).incomplete).toBe(incomplete - 1);
    expect(await isWatched()).toBe(false);
  });
});

describe("Firehose's metrics of a bucket in trouble", () => {
  const second = 1_000;
  /** When Firehose logged its only error. It writes after 84 s at most. */
  const error = begin;
  const judged = async (
    metrics: DeliveryMetrics,
    now: number,
    { handedOverAt = error, writtenCount = 0, bucket = destination.bucket } = {},
  ) => {
    const since = error - 20 * second;
    const checkpoints = [
      { at: error - 10 * second, count: 5, replayed: 0, since },
      { at: 0, count: 0, replayed: 0, since },
    ];
    const target = {
      ...(await current()),
      deliveredCount: 10,
      firehoseProgress: { at: handedOverAt, checkpoints },
    };
    const trouble = { actor: 'tenant' as const, code: 'x', reason: 'y', bucket, writtenCount };
    const times = { since: error, lastErrorAt: error, acceptedSince: since };
    return judgeBucket(target, { ...trouble, ...times }, metrics, now);
  };

  test('prove nothing for a minute with errors and successes, until a minute without error follows', async () => {
    const success = { at: error + 60 * second, value: 0.5 };
    expect(await judged({ success }, error + 100 * second)).toEqual({ outcome: 'unchanged' });
    expect(await judged({ success }, error + 169 * second)).toEqual({ outcome: 'settled' });
    const before = { at: error - 60 * second, value: 0.5 };
    expect(await judged({ success: before }, error + 169 * second)).toEqual({ outcome: 'unchanged' });
  });

  test("count an old record only if the metric is new and the record is of Firehose's events", async () => {
    const now = error + 500 * second;
    const success = { at: now, value: 1 };
    const held = (value: number, at = now) => ({ success, freshness: { at, value } });
    expect(await judged(held(600), now)).toEqual({ outcome: 'unchanged' });
    expect(await judged(held(600, now - 181 * second), now)).toEqual({ outcome: 'settled' });
    expect(await judged(held(100), now)).toEqual({ outcome: 'settled' });
    expect(await judged(held(10), now, { handedOverAt: now })).toEqual({ outcome: 'settled' });
  });

  test('never revoke what was known to be written', async () => {
    const freshness = { at: error + 50 * second, value: 55 };
    const now = error + 50 * second;
    expect(await judged({ freshness }, now)).toMatchObject({ written: { writtenCount: 5 } });
    expect(await judged({ freshness }, now, { writtenCount: 8 })).toEqual({ outcome: 'unchanged' });
  });

  test('are not awaited when Firehose dropped everything or writes to another bucket', async () => {
    expect(await judged({}, error + 25 * hours)).toMatchObject({ outcome: 'settled', loss: { count: 10 } });
    expect(await judged({}, error, { bucket: 'an-earlier-one' })).toMatchObject({
      outcome: 'settled',
      loss: { count: 10, given: { cause: 'replaced' } },
    });
  });
});

describe('a bucket into which Firehose does not write, without an error in its log', () => {
  /** Other tests have looked at their own times. */
  let now = begin + 1_000 * hours;
  beforeEach(() => {
    now += 24 * hours;
  });

  /** What Firehose has held for so many seconds, in these buckets. */
  const look = async (heldFor: number | undefined, at = now, measuredAt = at - 60_000): Promise<string[]> => {
    const asked: string[] = [];
    const latest = async (streams: readonly string[]): Promise<DeliveryMetrics[]> => {
      asked.push(...streams);
      const measured = heldFor === undefined ? {} : { freshness: { at: measuredAt, value: heldFor } };
      return await Promise.resolve(
        streams.map((name) => (name === destination.deliveryStreamName ? measured : {})),
      );
    };
    const { requestTest } = depsOf();
    await findLateBuckets({ targets, reports, watched, requestTest, metrics: { latest } }, at);
    return asked;
  };

  test('is in trouble, also when a test passes, and recovers when Firehose has written', async () => {
    await deliver(3, now - 2 * hours);
    await look(7_000);
    const target = await current();
    expect(target).toMatchObject({
      state: 'degraded',
      bucketTrouble: { code: 'Firehose.Late', since: now - 7_060_000, lastErrorAt: now },
    });
    expect(tests).toEqual([ref]);
    expect(await isWatched()).toBe(true);
    const status = describeTargetStatus({ ...target, verifiedAt: now + 1 }, now + 2);
    expect(status).toMatchObject({ actor: 'operator' });
    expect(status.reason).toMatch(/held events for more than an hour, and has logged no error/);

    const later = now + 60_000;
    await watch({ success: { at: later, value: 1 }, freshness: { at: later, value: 0 } }, later);
    expect((await current()).state).toBe('active');
  });

  test.each<[string, number | undefined]>([
    ['Firehose has held nothing for an hour', 3_600],
    ['there is no metric', undefined],
  ])('is not in trouble if %s', async (_, heldFor) => {
    await deliver(3, now - 2 * hours);
    expect(await look(heldFor)).toContain(destination.deliveryStreamName);
    expect((await current()).bucketTrouble).toBeUndefined();
  });

  test('is not in trouble if Firehose got nothing since the metric', async () => {
    await deliver(3, now - 2 * hours);
    await look(7_000, now, now - 181_000);
    expect((await current()).bucketTrouble).toBeUndefined();
  });

  test('is found although another one cannot be reported', async () => {
    const latest = async (streams: readonly string[]): Promise<DeliveryMetrics[]> =>
      await Promise.resolve(streams.map(() => ({ freshness: { at: now, value: 7_000 } })));
    const neighbour = { ...ref, category: 'public' as const };
    await targets.register(
      neighbour,
      { ...destination, deliveryStreamName: `${prefix}${ref.tenantId}-public` },
      begin,
    );
    const counts = { accepted: 1, delivered: 1, parked: 0 };
    for (const one of [ref, neighbour])
      await new LaneWatermarks(client, 'tenants').counted(one, counts, { at: now, checkpoints: [] });
    const seen: TargetRef[] = [];
    const unsteady = {
      failing: async (...[target]: Parameters<BucketReports['failing']>) => {
        if (target.tenantId !== ref.tenantId) return await Promise.resolve(false);
        seen.push(target);
        throw new Error('throttled');
      },
    };
    const { requestTest } = depsOf();
    await findLateBuckets({ targets, reports: unsteady, watched, requestTest, metrics: { latest } }, now);
    expect(seen).toHaveLength(2);
    // Neither those that could not be written, nor those of others, which another write had overtaken.
    expect(tests).toEqual([]);
    expect(await isWatched()).toBe(false);
  });

  test('is looked for although the answer to the note of the look was lost, and not a second time', async () => {
    const looks = async (at: number) => await watched.beginLook(at, at - 6 * hours);
    expect([await looks(now), await looks(now), await looks(now + 1)]).toEqual([true, true, false]);
  });

  test('is not checked if it got no event for a day, or is in trouble already', async () => {
    expect(await look(7_000)).not.toContain(destination.deliveryStreamName);
    await deliver(3, now - 24 * hours);
    expect(await look(7_000, now + 6 * hours)).not.toContain(destination.deliveryStreamName);
    await deliver(3, now + 6 * hours);
    await report(now + 6 * hours);
    expect(await look(7_000, now + 12 * hours)).not.toContain(destination.deliveryStreamName);
    expect((await current()).bucketTrouble?.code).toBe('Firehose.S3.NoSuchBucket');
  });

  test('is checked every six hours, however often the schedule calls', async () => {
    await deliver(3, now);
    expect(await look(1)).toContain(destination.deliveryStreamName);
    expect(await look(1, now + 6 * hours - 1)).toEqual([]);
    expect(await look(1, now + 6 * hours)).toContain(destination.deliveryStreamName);
  });
});

describe("Firehose's log", () => {
  const eventOf = (logEvents: object[]) => ({
    awslogs: {
      data: gzipSync(JSON.stringify({ messageType: 'DATA_MESSAGE', logEvents })).toString('base64'),
    },
  });
  const entry = (timestamp: number, errorCode: string) => ({
    timestamp,
    message: JSON.stringify({
      deliveryStreamARN: 'arn:aws:firehose:eu-central-1:000000000000:deliverystream/omi-test-a-log',
      destination: 'arn:aws:s3:::events-of-example',
      deliveryStreamVersionId: 1,
      message: 'Access was denied.',
      errorCode,
    }),
  });

  test('gives the last error of each delivery stream', () => {
    const event = eventOf([
      entry(5, 'S3.NoSuchBucket'),
      entry(9, 'S3.AccessDenied'),
      entry(7, 'InternalError'),
    ]);
    expect(readDeliveryLog(event)).toEqual({
      errors: [
        {
          deliveryStream: 'omi-test-a-log',
          bucket: 'events-of-example',
          code: 'S3.AccessDenied',
          message: 'Access was denied.',
          at: 9,
        },
      ],
      unreadable: 0,
    });
  });

  test('may have entries of another form', () => {
    const event = eventOf([
      { timestamp: 1, message: 'not JSON' },
      { timestamp: 2, message: '{}' },
    ]);
    expect(readDeliveryLog(event)).toEqual({ errors: [], unreadable: 2 });
  });
});
