import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ofBuckets } from '../../../tools/bench/cost/buckets.ts';
import { assumptions, onRestApi, variants, withCallbacks } from '../../../tools/bench/cost/assumptions.ts';
import {
  byPartWithCallbacks,
  byStepWithCallbacks,
  callbackGoal,
  callbackGoalReport,
  costOfMillion,
  floor,
  goal,
} from '../../../tools/bench/cost/confirmation-tables.ts';
import { confirmation, total } from '../../../tools/bench/cost/confirmations.ts';
import { defaultSections, fillIn } from '../../../tools/bench/cost/document.ts';
import { assertions, byCiba, byPing } from '../../../tools/bench/cost/ciba.ts';
import { delivery, eventBytes, oneByOne, recordSizes } from '../../../tools/bench/cost/events.ts';
import {
  confirmedByVerifiedUser,
  deviceEventSizesOf,
  eventSizesOf,
  eventsWithDetails,
  eventWithEvidence,
  indexedBytes,
  itemSizes,
  sentWithPurpose,
} from '../../../tools/bench/cost/items.ts';
import { demand } from '../../../tools/bench/cost/load.ts';
import { ofLedger } from '../../../tools/bench/cost/ledger.ts';
import { readOptions } from '../../../tools/bench/cost/options.ts';
import { costOf, regions, type Region } from '../../../tools/bench/cost/prices.ts';
import { quotas } from '../../../tools/bench/cost/quota-tables.ts';
import {
  batchReadUnits,
  firehoseBytes,
  httpApiCalls,
  itemBytes,
  kinesisBytes,
  lambdaGigabyteSeconds,
  messageRequests,
  queryReadUnits,
  readUnits,
  transactionWriteUnits,
  writeUnits,
} from '../../../tools/bench/cost/units.ts';
import { invocation, priceOf, sum } from '../../../tools/bench/cost/usage.ts';
import { webDifference } from '../../../tools/bench/cost/web-device.ts';

const KB = 1024;

describe('AWS rounds up to whole units', () => {
  test.each([
    ['writes by 1 KB', writeUnits, KB],
    ['reads by 4 KB', readUnits, 4 * KB],
    ['messages by 64 KB', messageRequests, 64 * KB],
    ['calls of an HTTP API by 512 KB', httpApiCalls, 512 * KB],
  ] as const)('%s', (_, units, step) => {
    expect([0, 1, step, step + 1, 2 * step, 2 * step + 1].map(units)).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('records of a stream by 1 KB, of a delivery stream by 5 KB', () => {
    expect([1, KB, KB + 1].map(kinesisBytes)).toEqual([KB, KB, 2 * KB]);
    expect([1, 5 * KB, 5 * KB + 1].map(firehoseBytes)).toEqual([5 * KB, 5 * KB, 10 * KB]);
  });

  test('a transaction doubles the units of each item', () => {
    expect(transactionWriteUnits([100, KB, KB + 1])).toBe(2 * (1 + 1 + 2));
  });

  test('a query rounds up once, a batch rounds up each item', () => {
    expect(queryReadUnits([3 * KB, 3 * KB])).toBe(2);
    expect(batchReadUnits([3 * KB, 3 * KB, 5 * KB])).toBe(4);
  });

  test('Lambda rounds up to milliseconds', () => {
    expect(lambdaGigabyteSeconds(5.2, 512)).toBeCloseTo(0.003);
  });
});

describe('the size of an item is that of its names and values', () => {
  test.each([
    [{ pk: 'äbc' }, 2 + 4],
    [{ n: 1234 }, 1 + 3],
    [{ n: 1_000_000 }, 1 + 2],
    [{ b: true, missing: undefined }, 1 + 1],
    [{ l: ['ab', 'c'] }, 1 + 3 + (1 + 2) + (1 + 1)],
    [{ m: { a: 'b' } }, 1 + 3 + (1 + 1 + 1)],
  ])('%j', (item, bytes) => expect(itemBytes(item)).toBe(bytes));
});

describe('a confirmation', () => {
  const usage = total(confirmation(assumptions));

  test('is 14 API calls with 10 polls, and each poll is one of them', () => {
    expect(usage.httpApiCalls).toBe(14);
    expect(total(confirmation({ ...assumptions, polls: 3 })).httpApiCalls).toBe(7);
  });

  test('writes two transactions, the opening, and the count of its exported events', () => {
    const sent = transactionWriteUnits([
      itemSizes['confirmation, pending'],
      itemSizes['history, open'],
      itemSizes['event, sent'],
    ]);
    const answered = transactionWriteUnits([
      itemSizes['confirmation, decided'],
      itemSizes['history, closed'],
      itemSizes['event, confirmed'],
    ]);
    // The index copies each event, which a transaction does not double.
    const index = writeUnits(itemSizes['event, sent']) + writeUnits(itemSizes['event, confirmed']);
    const opened = writeUnits(itemSizes['confirmation, opened']);
    // One write for each batch of the exporter.
    const counted = (2 / assumptions.batch) * writeUnits(itemSizes.target);
    expect(usage.dynamoWrites).toBe(sent + answered + index + opened + counted);
  });

  test('writes events of a device of at most 2 KB, because of its receipt', async () => {
    const [userId, hostIp] = ['0199c0de-0004-7000-8000-000000000004', '255.255.255.255'];
    const sizes = await deviceEventSizesOf(userId, hostIp);
    expect(sizes.map(writeUnits)).toEqual([2, 2]);
  });

  test('keeps a decided confirmation within 2 KB, with its evidence and receipt', () => {
    expect(itemSizes['confirmation, decided']).toBeLessThanOrEqual(2 * KB);
  });

  test('writes events of at most 1 KB, even if the user id is a UUID and the address the longest of IPv4', async () => {
    const sizes = [
      itemSizes['event, sent'],
      itemSizes['event, confirmed'],
      sentWithPurpose,
      confirmedByVerifiedUser,
    ];
    const [userId, hostIp] = ['0199c0de-0004-7000-8000-000000000004', '255.255.255.255'];
    sizes.push(...(await eventSizesOf(userId, hostIp)));
    expect(sizes).toHaveLength(6);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(KB);
  });

  test('writes events of at most 2 KB if there are details, which costs 3.75 USD per million', () => {
    expect(eventsWithDetails.map(writeUnits)).toEqual([2, 2]);
    // One more unit for each event: twice in the transaction, once in the index.
    expect(costOf('dynamoWrites', 2 * (2 + 1) * 1_000_000, 'us-east-1')).toBeCloseTo(3.75);
  });

  test('writes an event of at most 3 KB where the tenant wants the evidence in it, which costs 2.50 USD per million', () => {
    expect(writeUnits(eventWithEvidence)).toBe(3);
    const evident = { ...assumptions, evidenceInEvents: true };
    expect(total(confirmation(evident)).dynamoWrites).toBe((usage.dynamoWrites ?? 0) + 2 * 2);
    expect(costOf('dynamoWrites', 2 * 2 * 1_000_000, 'us-east-1')).toBeCloseTo(2.5);
  });

  test('costs each quantity at the price of its unit', () => {
    expect(costOf('httpApiCalls', 2_000_000, 'us-east-1')).toBeCloseTo(2);
    expect(costOf('logBytes', 1024 ** 3, 'us-east-1')).toBeCloseTo(0.5);
    expect(priceOf({ httpApiCalls: 1e6, lambdaRequests: 1e6 }, 'us-east-1')).toBeCloseTo(1.2);
  });

  test("costs at least a third more on a REST API without cached authorizer's answers", () => {
    for (const region of regions) {
      const rest = costOfMillion({ ...assumptions, ...onRestApi }, region);
      expect(rest).toBeGreaterThan(1.33 * costOfMillion(assumptions, region));
    }
  });

  test('does not trace its polls, which are most of its calls', () => {
    const { polls, send } = confirmation({ ...assumptions, traced: 1 });
    expect([polls?.traces, send?.traces]).toEqual([0, 1]);
  });

  test('pays one unit for the copy of an event in the index, however large the event is', () => {
    for (const bytes of indexedBytes) expect(bytes).toBeLessThan(300);
    const whole = { ...assumptions, ...variants['whole items in the index of events'] };
    for (const region of regions)
      expect(costOfMillion(assumptions, region)).toBeLessThan(costOfMillion(whole, region));
  });

  test('never costs less than what the design always needs', () => {
    for (const region of regions) {
      const least = 1_000_000 * priceOf(total(floor(assumptions)), region);
      expect(least).toBeGreaterThan(goal);
      expect(
        costOfMillion({ ...assumptions, ...variants['both: no tracing, and Lambdas of 512 MB'] }, region),
      ).toBeGreaterThan(least);
    }
  });

  test('traces and logs invocations as assumed', () => {
    expect(invocation(10, { ...assumptions, traced: 0.5 }).traces).toBe(0.5);
    expect(invocation(10, { ...assumptions, systemLogs: false }).logBytes).toBe(0);
  });
});

describe('the ledger', () => {
  test('costs by what it counts, and little for what was counted before', () => {
    const [kept, empty, sparse, small, large] = ofLedger(assumptions).map((row) => Number(row['us-east-1']));
    expect(kept).toBeLessThan(0.02);
    // 8 queries for a range, not for each of its hours. The rest is what is kept, and sent.
    expect(empty).toBeLessThan(0.05);
    expect(sparse).toBeLessThan(0.7);
    expect(small).toBeLessThan(0.05);
    // At list price: 0.5 units for each 4 KB of the index, and the time of the Lambda.
    expect(large).toBeGreaterThan(1_000 * ((0.5 * 1_000_000 * 150) / 4_096) * 0.125e-6);
    expect(large).toBeLessThan(10);
  });
});

describe('a million confirmations', () => {
  /** USD. A more expensive design fails here. */
  const ceilings: Record<Region, number> = { 'eu-central-1': 46, 'us-east-1': 39.3 };

  test.each(regions)('costs no more in %s than it did', (region) => {
    expect(costOfMillion(assumptions, region)).toBeLessThanOrEqual(ceilings[region]);
  });

  // The goal is not reached yet, as docs/scaling.md says. When it is, this fails: replace it by `test`.
  test.failing.each(regions)(`costs at most ${goal} USD in %s`, (region) => {
    expect(costOfMillion(assumptions, region)).toBeLessThanOrEqual(goal);
  });

  test('costs less with each of the listed changes', () => {
    for (const [name, changes] of Object.entries(variants).slice(5)) {
      const changed = costOfMillion({ ...assumptions, ...changes }, 'eu-central-1');
      expect({ name, cheaper: changed < costOfMillion(assumptions, 'eu-central-1') }).toEqual({
        name,
        cheaper: true,
      });
    }
  });
});

describe('a million confirmations with call-backs', () => {
  const assumed = { ...assumptions, ...withCallbacks };
  const steps = confirmation(assumed);
  const { 'call-back': sent = {}, polls = {} } = steps;

  test('cost no more than the goal', () => {
    const { usd, region } = callbackGoal;
    expect(costOfMillion(assumed, region)).toBeLessThanOrEqual(usd);
    expect(callbackGoalReport(assumptions)).toMatch(/within it/);
  });

  test('are 4 API calls each, and no poll', () => {
    expect(total(steps).httpApiCalls).toBe(4);
    expect(polls).toEqual({});
  });

  test('count all else as with polls', () => {
    const { polls: asked = {}, authorize: misses, ...others } = confirmation(assumptions);
    expect(misses?.lambdaRequests).toBeCloseTo(12 * assumptions.authorizerMisses);
    expect(asked.httpApiCalls).toBe(assumptions.polls);
    expect(steps).toMatchObject(others);
  });

  test('pass the stream, the queue and one Lambda on their way to the website', () => {
    const { batch } = assumptions;
    expect(sent.lambdaRequests).toBeCloseTo(2 / batch);
    expect(sent.sqsRequests).toBeCloseTo(3 / batch);
    expect(sent.transferBytes).toBeGreaterThan(2 * KB);
    expect(sent.dynamoReads).toBeGreaterThan(0);
  });

  test('cost more without load, because each call-back has a Lambda call of its own', () => {
    const alone = confirmation({ ...assumed, batch: 1 })['call-back'] ?? {};
    expect(alone.lambdaRequests).toBe(2);
    expect(priceOf(alone, 'us-east-1')).toBeGreaterThan(priceOf(sent, 'us-east-1'));
  });

  test('have tables whose rows add up to the sum', () => {
    for (const rows of [
      byStepWithCallbacks(assumptions, regions),
      byPartWithCallbacks(assumptions, regions),
    ]) {
      const values = rows.map((row) => Number(row['us-east-1']));
      const all = values.pop() ?? NaN;
      expect(all).toBeCloseTo(costOfMillion(assumed, 'us-east-1'), 2);
      // Each row is rounded to a cent.
      expect(Math.abs(values.reduce((whole, value) => whole + value, 0) - all)).toBeLessThan(0.1);
    }
  });
});

describe('a million confirmations on web devices', () => {
  const usage = sum([total(confirmation(assumptions)), total(webDifference(assumptions))]);

  test('sends nothing by SNS, and passes CloudFront with two files, the settings and two calls', () => {
    expect(usage).toMatchObject({ snsRequests: 0, snsPushes: 0, cloudFrontRequests: 5, s3Reads: 2 });
    expect(usage.httpApiCalls).toBe(14);
  });

  test.each([
    ['eu-central-1', 53.6],
    ['us-east-1', 46],
  ] as const)('costs no more in %s than it did', (region, ceiling) => {
    expect(1_000_000 * priceOf(usage, region)).toBeLessThanOrEqual(ceiling);
  });
});

describe('exported events', () => {
  test.each([
    ['stream', 1.7],
    ['bucket', 1.7 * 5 * 0.95],
  ] as const)('fill the units that a %s is billed by', (to, perUnit) => {
    const unit = to === 'stream' ? KB : 5 * KB;
    const usage = delivery(recordSizes(1_000, to), to, 1_000);
    const bytes = usage.kinesisBytes ?? usage.firehoseBytes ?? 0;
    expect(unit / bytes).toBeGreaterThan(perUnit);
    expect(unit / bytes).toBeLessThanOrEqual(unit / eventBytes);
  });

  test('in single records need a unit each', () => {
    expect(delivery(oneByOne(10), 'bucket', 10)).toEqual({ firehoseBytes: 5 * KB });
  });
});

test('looks at all buckets cost far less than an alarm on a query of their metrics', () => {
  const usd = (what: string) =>
    Number(ofBuckets(assumptions).find((row) => row['what'] === what)?.['us-east-1']);
  // Two metrics, four times a day.
  expect(usd('5,000 of them')).toBeCloseTo((5_000 * 30 * 4 * 2 * 10) / 1_000_000, 0);
  expect(usd('the same by an alarm on a query of their metrics')).toBe(500);
});

describe('quotas', () => {
  const each = demand(assumptions);
  const shareOf = (name: string, confirmationsPerSecond: number, tenants = 1): number => {
    const quota = quotas('eu-central-1', assumptions).find((one) => one.name.startsWith(name));
    if (!quota) throw new Error(`There is no quota ${name}`);
    return quota.needed({ confirmationsPerSecond, tenants }, each) / quota.limit;
  };

  test('of the API are compared with 14 calls per confirmation', () => {
    expect(shareOf('API Gateway', 1_000)).toBeCloseTo(1.4);
  });

  test('of SNS are compared with one push per confirmation', () =>
    expect(shareOf('SNS', 1_500)).toBeCloseTo(1));

  test('of a table are compared with its written units, and the tables have all written units', () => {
    const { writes, indexWrites } = each;
    const all = Object.values(writes).reduce((sum, units) => sum + units, 0) + indexWrites;
    expect(all).toBe(total(confirmation(assumptions)).dynamoWrites);
    expect(shareOf('DynamoDB: writes to events', 1_000)).toBeCloseTo((1_000 * writes.events) / 40_000);
  });

  test('of the account are compared with the number of tenants', () => {
    expect(shareOf('Firehose', 1, 10_000)).toBeCloseTo(2);
    expect(shareOf('Cognito: clients', 1, 10_000)).toBeCloseTo(10);
  });
});

describe('npm run cost', () => {
  test('rejects an unknown region and an invalid number of polls', () => {
    expect(() => readOptions(['--region', 'mars-1'])).toThrow(/mars-1[^]*eu-central-1 or us-east-1/);
    expect(() => readOptions(['--polls', 'many'])).toThrow(/many/);
    expect(readOptions(['--region', 'us-east-1', '--polls', '3'])).toMatchObject({
      region: 'us-east-1',
      polls: 3,
    });
  });

  test('docs/scaling.md is up to date: npm run cost -- --write', () => {
    const document = readFileSync('docs/scaling.md', 'utf8');
    expect(fillIn(document, defaultSections())).toBe(document);
  });

  test('docs/scaling.md has each section once', () => {
    const document = readFileSync('docs/scaling.md', 'utf8');
    const names = [...document.matchAll(/<!-- cost:(\w+) -->/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(Object.keys(defaultSections()).toSorted());
  });
});

describe('by CIBA', () => {
  const usd = (usage: Parameters<typeof priceOf>[0]): number => 1_000_000 * priceOf(usage, 'us-east-1');

  test('a redemption is two signatures of KMS, 30 USD a million', () => {
    const { 'two signatures of KMS': signed = {} } = byCiba(assumptions);
    expect(signed).toEqual({ kmsSignatures: 2 });
    expect(usd(signed)).toBeCloseTo(30);
  });

  test('a client makes as many calls as it polls, and one to ask', () => {
    // With those of the device.
    expect(total(byCiba(assumptions)).httpApiCalls).toBe(assumptions.polls + 1 + 2);
    expect(total(byPing(assumptions)).httpApiCalls).toBe(1 + 1 + 2);
  });

  test('pings cost less than polls; assertions cost a write for each call of the client', () => {
    expect(usd(total(byPing(assumptions)))).toBeLessThan(usd(total(byCiba(assumptions))));
    expect(assertions(assumptions)).toEqual({ dynamoWrites: assumptions.polls + 1 });
  });
});
