import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { deviceDeregistered, deviceRegistered } from '../../../core/enrolment/device-events.ts';
import { messageHashOf } from '../../../core/kernel/identifiers.ts';
import { WebhookWriter } from '../../../core/export/kinds/webhook/webhook-writer.ts';
import { writeContext } from '../../../core/confirmations/context.ts';
import { assumptions, onRestApi, regions, variants, withCallbacks } from '../../../tools/bench/cost/data.ts';
import * as events from '../../../tools/bench/cost/events.ts';
import { device, eventItem, eventSizes, indexedBytes, itemSizes } from '../../../tools/bench/cost/items.ts';
import { evidentBytes, pending } from '../../../tools/bench/cost/items.ts';
import { log } from '../../../tools/bench/cost/log.ts';
import * as model from '../../../tools/bench/cost/model.ts';
import { people } from '../../../tools/bench/cost/people.ts';
import * as tables from '../../../tools/bench/cost/tables.ts';
import * as units from '../../../tools/bench/cost/units.ts';

const kilobyteBytes = 1024;
const { costOfMillion, goal, callbackGoal } = tables;

describe('billed units of AWS', () => {
  test.each([1, 4, 64, 512])('are whole units of %i KB', (kilobytes) => {
    const step = kilobytes * kilobyteBytes;
    const counted = [0, 1, step, step + 1, 2 * step, 2 * step + 1].map((bytes) =>
      units.steps(bytes, kilobytes),
    );
    expect(counted).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('round up by record in streams, by sum in queries, by item in batches, and twice in transactions', () => {
    expect([1, kilobyteBytes, kilobyteBytes + 1].map(units.kinesisBytes)).toEqual([
      kilobyteBytes,
      kilobyteBytes,
      2 * kilobyteBytes,
    ]);
    expect([1, 5 * kilobyteBytes, 5 * kilobyteBytes + 1].map(units.firehoseBytes)).toEqual([
      5 * kilobyteBytes,
      5 * kilobyteBytes,
      10 * kilobyteBytes,
    ]);
    expect(units.queryReadUnits([3 * kilobyteBytes, 3 * kilobyteBytes])).toBe(2);
    expect(units.batchReadUnits([3 * kilobyteBytes, 3 * kilobyteBytes, 5 * kilobyteBytes])).toBe(4);
    expect(units.transactionWriteUnits([100, kilobyteBytes, kilobyteBytes + 1])).toBe(2 * (1 + 1 + 2));
  });

  test('round up to milliseconds in Lambda', () => {
    const { lambdaGigabyteSeconds = 0 } = model.invocation(5.2, { ...assumptions, megabytes: 512 });
    expect(lambdaGigabyteSeconds - (0.005 * 0.3) / 2).toBeCloseTo(0.003, 6);
  });
});

test.each([
  [{ pk: 'äbc' }, 2 + 4],
  [{ n: 1234 }, 1 + 3],
  [{ n: 1_000_000 }, 1 + 2],
  [{ b: true, missing: undefined }, 1 + 1],
  [{ l: ['ab', 'c'] }, 1 + 3 + (1 + 2) + (1 + 1)],
  [{ m: { a: 'b' } }, 1 + 3 + (1 + 1 + 1)],
])('the size of an item is that of its names and values: %j', (item, bytes) =>
  expect(units.itemBytes(item)).toBe(bytes),
);

describe('a confirmation', () => {
  const usage = model.perConfirmation(assumptions);

  test('is 14 calls of the API with 10 polls, and each poll is one of them', () => {
    expect(usage.httpApiCalls).toBe(14);
    expect(model.perConfirmation({ ...assumptions, polls: 3 }).httpApiCalls).toBe(7);
  });

  test('writes two transactions with copies of events in the index, the opening, and the count of exported events', () => {
    const of = (...items: (keyof typeof itemSizes)[]): number =>
      units.transactionWriteUnits(items.map((item) => itemSizes[item]));
    const sent = of('confirmation, pending', 'history, open', 'event, sent') + 1;
    const answered = of('confirmation, decided', 'history, closed', 'event, confirmed') + 1;
    const [opened, counted] = [of('confirmation, opened') / 2, (2 / assumptions.batch) * (of('target') / 2)];
    expect(usage.dynamoWrites).toBe(sent + answered + opened + counted);
  });

  test('writes small items, even for a UUID as user id and the longest IPv4 address', async () => {
    const [userId, hostIp] = ['0199c0de-0004-7000-8000-000000000004', '255.255.255.255'];
    const own = [
      ...(await eventSizes({ userId, notify: 'both' }, {}, hostIp)),
      ...(await eventSizes(writeContext({ purpose: 'remove-device', userVerification: 'off' }))),
      ...(await eventSizes({}, { userVerified: true }, hostIp)),
    ];
    expect(Math.max(...own)).toBeLessThanOrEqual(kilobyteBytes);
    expect(itemSizes['confirmation, decided']).toBeLessThanOrEqual(2 * kilobyteBytes);
    const details = '[{"type":"payment","amount":"16.00","currency":"EUR"}]';
    const detailed = await eventSizes({ details, detailsHash: messageHashOf(details) });
    expect(Math.max(...detailed)).toBeLessThanOrEqual(2 * kilobyteBytes);
    for (const bytes of indexedBytes) expect(bytes).toBeLessThan(300);
    const { challengeId, clientId } = pending;
    const its = [
      { ...device, userId },
      clientId,
      { by: 'confirmation', challengeId, deviceId: device.deviceId },
    ] as const;
    // Because of the receipt.
    const added = await eventItem('enrol-device', deviceRegistered(...its), hostIp);
    const removed = await eventItem('remove-device', deviceDeregistered(...its), hostIp);
    expect([added, removed].map(units.itemBytes).map(units.writeUnits)).toEqual([2, 2]);
  });

  test('writes an event of at most 3 KB if the tenant wants evidence in it', () => {
    expect(units.writeUnits(evidentBytes)).toBe(3);
    const evident = model.perConfirmation({ ...assumptions, evidenceInEvents: true });
    expect(evident.dynamoWrites).toBe((usage.dynamoWrites ?? 0) + 2 * 2);
  });

  test('costs each quantity at the price of its unit', () => {
    expect(model.costOf('logBytes', kilobyteBytes ** 3, 'us-east-1')).toBeCloseTo(0.5);
    expect(model.priceOf({ httpApiCalls: 1e6, lambdaRequests: 1e6 }, 'us-east-1')).toBeCloseTo(1.2);
  });

  test('is not traced in its polls, which are most of its calls', () => {
    const { polls, send } = model.confirmation({ ...assumptions, traced: 1 });
    expect([polls?.traces, send?.traces]).toEqual([0, 1]);
  });
});

describe('a million confirmations', () => {
  /** USD. A more expensive design fails here. */
  test.each([
    ['eu-central-1', 46],
    ['us-east-1', 39.3],
  ] as const)('cost no more in %s than their budget', (region, ceiling) => {
    expect(costOfMillion(assumptions, region)).toBeLessThanOrEqual(ceiling);
  });

  // The goal is not reached yet, as docs/scaling.md says. When it is, this fails: replace it by `test`.
  test.failing.each(regions)(`cost at most ${goal} USD in %s`, (region) => {
    expect(costOfMillion(assumptions, region)).toBeLessThanOrEqual(goal);
  });

  test.each(regions)(
    'cost more in %s than the minimum of the design, and a third less than on a REST API',
    (region) => {
      const usual = costOfMillion(assumptions, region);
      const least = 1_000_000 * model.priceOf(model.total(tables.floor(assumptions)), region);
      expect(least).toBeGreaterThan(goal);
      const cheap = { ...assumptions, ...variants['both: no tracing, and Lambdas of 512 MB'] };
      expect(costOfMillion(cheap, region)).toBeGreaterThan(least);
      expect(costOfMillion({ ...assumptions, ...onRestApi }, region)).toBeGreaterThan(1.33 * usual);
      expect(costOfMillion({ ...assumptions, indexProjection: 'all' }, region)).toBeGreaterThan(usual);
    },
  );

  test.each(Object.entries(variants).slice(5))('cost less with a saving: %s', (_, changes) => {
    const [saved, usual] = [{ ...assumptions, ...changes }, assumptions];
    expect(costOfMillion(saved, 'eu-central-1')).toBeLessThan(costOfMillion(usual, 'eu-central-1'));
  });
});

describe('a million confirmations with callbacks', () => {
  const assumed = { ...assumptions, ...withCallbacks };
  const steps = model.confirmation(assumed);
  const { callback: sent = {}, polls = {} } = steps;

  test('cost no more than the goal', () => {
    expect(costOfMillion(assumed, 'us-east-1')).toBeLessThanOrEqual(callbackGoal);
  });

  test('are 4 calls of the API each and no poll, and equal polls in all other costs', () => {
    expect(model.total(steps).httpApiCalls).toBe(4);
    expect(polls).toEqual({});
    const { polls: _, authorize: misses, ...others } = model.confirmation(assumptions);
    expect(misses?.lambdaRequests).toBeCloseTo(12 * assumptions.authorizerMisses);
    expect(steps).toMatchObject(others);
  });

  test('pass the stream, the queue and one Lambda on their way to the website', () => {
    expect(sent.lambdaRequests).toBeCloseTo(2 / assumptions.batch);
    expect(sent.sqsRequests).toBeCloseTo(3 / assumptions.batch);
    expect(sent.transferBytes).toBeGreaterThan(2 * kilobyteBytes);
    const alone = model.confirmation({ ...assumed, batch: 1 })['callback'] ?? {};
    expect(alone.lambdaRequests).toBe(2);
    expect(model.priceOf(alone, 'us-east-1')).toBeGreaterThan(model.priceOf(sent, 'us-east-1'));
  });
});

test.each([
  ['eu-central-1', 53.6],
  ['us-east-1', 46],
] as const)(
  'a million confirmations on web devices cost no more in %s than their budget',
  (region, ceiling) => {
    const usage = model.sum(
      model.perConfirmation(assumptions),
      model.total(model.webDifference(assumptions)),
    );
    expect(usage).toMatchObject({ snsRequests: 0, snsPushes: 0, cloudFrontRequests: 5, s3Reads: 2 });
    expect(1_000_000 * model.priceOf(usage, region)).toBeLessThanOrEqual(ceiling);
  },
);

test('asking several devices or people costs less than so many questions', () => {
  const usd = (usage?: model.Usage): number => 1_000_000 * model.priceOf(usage ?? {}, 'us-east-1');
  const [one, both, group] = Object.values(people(assumptions)).map(usd);
  const { 'list devices': list, ...steps } = model.confirmation({ ...assumptions, ...withCallbacks });
  expect(usd(list)).toBeGreaterThan(0);
  expect(one).toBeCloseTo(usd(model.total(steps)), 0);
  expect(both).toBeLessThan(1.5 * (one ?? 0));
  expect(group).toBeLessThan(4 * (one ?? 0));
  expect(usd(people({ ...assumptions, indexProjection: 'all' })['one device of a user'])).toBeGreaterThan(
    one ?? 0,
  );
});

describe('CIBA', () => {
  const usd = (usages: model.Usages): number => 1_000_000 * model.priceOf(model.total(usages), 'us-east-1');

  test('needs one call of a client to ask and one for each poll, and two signatures of KMS', () => {
    const { httpApiCalls, kmsSignatures } = model.total(model.byCiba(assumptions));
    // With those of the device.
    expect({ httpApiCalls, kmsSignatures }).toEqual({
      httpApiCalls: assumptions.polls + 1 + 2,
      kmsSignatures: 2,
    });
  });

  test('costs less with pings than with polls', () => {
    expect(model.total(model.byPing(assumptions)).httpApiCalls).toBe(1 + 1 + 2);
    expect(usd(model.byPing(assumptions))).toBeLessThan(usd(model.byCiba(assumptions)));
  });
});

describe('exported events', () => {
  test.each([
    ['stream', 1.7, kilobyteBytes],
    ['bucket', 1.7 * 5 * 0.95, 5 * kilobyteBytes],
  ] as const)('fill the units that a %s is billed by', (to, perUnit, unit) => {
    const usage = events.delivery(events.recordSizes(1_000, to), to, 1_000);
    const perEvent = usage.kinesisBytes ?? usage.firehoseBytes ?? 0;
    expect(unit / perEvent).toBeGreaterThan(perUnit);
    expect(unit / perEvent).toBeLessThanOrEqual(unit / events.eventBytes);
  });

  test.each([1, 10, 100, 1_000])(
    'go to webhooks in the modelled number of calls: %i events',
    async (count) => {
      let [calls, open, most] = [0, 0, 0];
      const call = async () => {
        calls += 1;
        most = Math.max(most, ++open);
        await new Promise(setImmediate);
        open -= 1;
        return { status: 204, retryAfter: undefined };
      };
      const destination = { kind: 'webhook' as const, url: 'https://example.com/', lanes: 2 };
      const nothingWaits = { parkedThrough: {}, drainedThrough: {}, waitingSince: {} };
      const counts = { acceptedCount: 0, deliveredCount: 0, parkedCount: 0 };
      const state = { state: 'active' as const, stateSince: 0 };
      const ref = { tenantId: pending.tenantId, category: 'public' as const };
      const target = { ...ref, destination, ...state, ...counts, ...nothingWaits };
      const modelled = events.webhookCalls(count);
      await new WebhookWriter({ call }, 'https://omi.example.com').deliver(
        target,
        modelled,
        Date.now() + 60_000,
      );
      // A call of each lane at the same time.
      expect({ calls, most }).toEqual({ calls: modelled.length, most: Math.min(2, modelled.length) });
      expect(events.webhookWaits(modelled)).toBeGreaterThanOrEqual(calls / most);
    },
  );

  test('cost less each in larger batches', () => {
    const costs = [1, 10, 100, 1_000].map((count) =>
      model.priceOf(events.webhook(count, assumptions), 'us-east-1'),
    );
    expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  });
});

test('the ledger costs by what it counts, and little for what is already counted', () => {
  const usages = Object.values(events.ledger(assumptions));
  const [kept, empty, , , large = 0] = usages.map((usage) => 1_000 * model.priceOf(usage, 'us-east-1'));
  expect(kept).toBeLessThan(0.02);
  // 8 queries for a range, not for each of its hours. The rest is what is kept, and sent.
  expect(empty).toBeLessThan(0.05);
  // At list price: 0.5 units for each 4 KB of the index, and the time of the Lambda.
  expect(large).toBeGreaterThan(1_000 * ((0.5 * 1_000_000 * 150) / 4_096) * 0.125e-6);
});

test('the log costs at most 0.30 USD for a million events in an hour', () => {
  const [usage = {}] = Object.values(log(assumptions));
  const usd = model.priceOf(usage, 'us-east-1');
  // Each event is read once, by half a unit.
  expect(usd).toBeGreaterThan(0.5 * 0.125);
  expect(usd).toBeLessThan(0.3);
});

test('checking all buckets costs far less than an alarm on a query of their metrics', () => {
  const usd = Object.values(events.buckets(assumptions)).map((usage) => model.priceOf(usage, 'us-east-1'));
  // Two metrics, four times a day.
  expect(usd[2]).toBeCloseTo((5_000 * 30 * 4 * 2 * 10) / 1_000_000, 0);
  expect(usd[3]).toBe(500);
});

describe('quotas', () => {
  const each = tables.demand(assumptions);
  test.each([
    ['API Gateway', [1_000, 1], 1.4],
    ['SNS', [1_500, 1], 1],
    ['DynamoDB: writes to events', [1_000, 1], (1_000 * (each['writes events'] ?? NaN)) / 40_000],
    ['Firehose', [1, 10_000], 2],
    ['Cognito: clients', [1, 10_000], 10],
  ] as const)('are compared with the demand of a load: %s', (name, [rate, tenants], share) => {
    const quota = tables.quotasOf('eu-central-1').find((one) => one.name.startsWith(name));
    expect(quota?.shareOf(tables.needed([rate, tenants], each))).toBeCloseTo(share);
  });

  test('include those of tables, compared with all units that a confirmation writes', () => {
    const written = Object.entries(each).filter(
      ([name]) => name.startsWith('writes') || name === 'indexWrites',
    );
    const all = written.reduce((sum, [, amount]) => sum + amount, 0);
    expect(all).toBeCloseTo(model.perConfirmation(assumptions).dynamoWrites ?? 0);
  });
});

test('docs/scaling.md is up to date and has each section once: npm run cost -- --write', () => {
  const document = readFileSync('docs/scaling.md', 'utf8');
  expect(tables.fillIn(document, tables.defaultSections())).toBe(document);
  const names = [...document.matchAll(/<!-- cost:(\w+) -->/g)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(Object.keys(tables.defaultSections()).toSorted());
});
