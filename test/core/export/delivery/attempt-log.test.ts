/** Which attempts are noted, what is noted of them, and that a note never changes a delivery. */
import { randomUUID } from 'node:crypto';
import { ScanCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Attempt } from '../../../../core/export/delivery/attempt.ts';
import { AttemptLog } from '../../../../core/export/delivery/attempt-log-store.ts';
import { attemptView } from '../../../../core/export/delivery/attempt-view.ts';
import { pack } from '../../../../core/export/delivery/packing.ts';
import type { Delivery } from '../../../../core/export/delivery/send-with-retries.ts';
import type { TargetRef } from '../../../../core/events/target-ref.ts';
import type { Fault } from '../../../../core/export/targets/target.ts';
import { logger } from '../../../../core/kernel/observability.ts';
import { minutes, seconds } from '../../../../core/kernel/time.ts';
import { testDatabase } from '../../../support/dynamodb.ts';

const start = Date.UTC(2026, 10, 1);
let database: DynamoDBDocumentClient;
let ref: TargetRef;
const warn = jest.spyOn(logger, 'warn').mockReturnValue();

beforeAll(async () => {
  database = await testDatabase({ attempts: 'attempts' });
});
beforeEach(() => {
  ref = { tenantId: randomUUID(), category: 'public' };
  warn.mockClear();
});

const recordsOf = (count: number) => {
  const ids = Array.from({ length: count }, () => randomUUID());
  const events = ids.map((eventId) => ({
    orderingKey: eventId,
    event: JSON.stringify({ metadata: { eventId }, payload: { secret: 'Zoë' } }),
  }));
  const { records } = pack(events, { lanes: 1, lineEnd: '', limits: { events: 2, bytes: 10_000 } });
  return { ids, records };
};
const { ids, records } = recordsOf(5);
const fault: Fault = {
  actor: 'tenant',
  code: 'Webhook.Http401',
  reason: 'The receiver answers. AWS says: x',
};
const delivered: Delivery = { undelivered: [] };
const failed: Delivery = { undelivered: records.slice(1), fault, answer: { status: 401, text: 'no' } };

const entry: Attempt = { at: start, ms: 1, outcome: 'failed', lane: '0/1', events: { count: 1, ids: [] } };

const log = () => new AttemptLog(database, 'attempts');
const pageOf = async (limit = 50, after?: string) =>
  await log().page(ref, { limit, ...(after !== undefined && { after }) });

describe('an attempt that failed', () => {
  test('is noted once a second, with what was left, why, and what was answered', async () => {
    const [one, another] = [log(), log()];
    for (const [its, at] of [
      [one, start],
      [one, start + 999],
      [another, start],
      [one, start + 1_000],
    ] as const)
      await its.note(ref, records, failed, { at, ms: 12 });
    const { attempts } = await pageOf();
    expect(attempts.map(({ at }) => at - start)).toEqual([1_000, 0]);
    expect(attempts[1]).toEqual({
      ...{ at: start, ms: 12, outcome: 'partly', lane: '0/1', events: { count: 5, ids: ids.slice(2) } },
      ...{ status: 401, answer: 'no', code: fault.code, reason: fault.reason, actor: 'tenant' },
    });
  });

  test('is noted for each lane that it did not deliver', async () => {
    const lanes = ['0/3', '1/3', '2/3'];
    const [first, second, third] = lanes.map((lane) =>
      recordsOf(2).records.map((record) => ({ ...record, lane })),
    );
    const all = [first, second, third].flatMap((its) => its ?? []);
    const left = [...(first ?? []), ...(third ?? [])];
    await log().note(ref, all, { undelivered: left, fault }, { at: start, ms: 1 });
    const { attempts } = await pageOf();
    expect(attempts.map(({ lane, outcome }) => [lane, outcome])).toEqual([
      ['2/3', 'failed'],
      ['0/3', 'failed'],
    ]);
  });

  test('is listed without the successes, page by page', async () => {
    const one = log();
    for (let n = 0; n < 4; n += 1) {
      await one.note(ref, records, delivered, { at: start + n * minutes, ms: n });
      await one.note(ref, records, failed, { at: start + n * minutes + 1_000, ms: n });
    }
    const first = await one.page(ref, { limit: 3, isFailed: true });
    expect(first.attempts.map(({ ms, outcome }) => [ms, outcome])).toEqual(
      [3, 2, 1].map((ms) => [ms, 'partly']),
    );
    const rest = await one.page(ref, { limit: 3, isFailed: true, after: first.cursor ?? '' });
    expect(rest.attempts.map(({ ms }) => ms)).toEqual([0]);
    expect(rest.cursor).toBeUndefined();
  });

  test('has the ids of 20 events at most, and nothing else of the events', async () => {
    const many = recordsOf(50);
    await log().note(ref, many.records, { undelivered: many.records, fault }, { at: start, ms: 1 });
    const { attempts } = await pageOf();
    expect(attempts[0]).toMatchObject({
      outcome: 'failed',
      events: { count: 50, ids: many.ids.slice(0, 20) },
    });
    expect(JSON.stringify(attempts)).not.toContain('Zoë');
  });
});

test('notes one success a minute, whichever instance had it', async () => {
  const [one, another] = [log(), log()];
  for (const [its, at] of [
    [one, start],
    [one, start + 59_999],
    [another, start + 1_000],
    [one, start + 60_000],
  ] as const)
    await its.note(ref, records, delivered, { at, ms: 5 });
  const { attempts } = await pageOf();
  expect(attempts.map(({ at, outcome }) => [at - start, outcome])).toEqual([
    [60_000, 'delivered'],
    [1_000, 'delivered'],
  ]);
});

test('the lines of a bucket are noted like the records of a stream', async () => {
  const line = pack([{ orderingKey: 'a', event: '{"metadata":{"eventId":"an-id"}}' }], {
    ...{ lanes: 1, lineEnd: '\n' },
  });
  await log().note(ref, line.records, delivered, { at: start, ms: 5 });
  expect((await pageOf()).attempts).toMatchObject([{ events: { ids: ['an-id'] } }]);
});

test('nothing is noted of a call without events', async () => {
  await log().note(ref, [], failed, { at: start, ms: 5 });
  expect((await pageOf()).attempts).toEqual([]);
});

test('pages follow each other, newest first, and are of one target alone', async () => {
  const one = log();
  for (let n = 0; n < 5; n += 1) await one.note(ref, records, failed, { at: start + n * seconds, ms: n });
  await one.note({ ...ref, category: 'log' }, records, failed, { at: start, ms: 99 });
  const first = await pageOf(2);
  const second = await pageOf(2, first.cursor);
  const third = await pageOf(2, second.cursor);
  const took = [first, second, third].flatMap(({ attempts }) => attempts.map(({ ms }) => ms));
  expect(took).toEqual([4, 3, 2, 1, 0]);
  expect(third.cursor).toBeUndefined();
});

test('entries expire after three days', async () => {
  await log().note(ref, records, failed, { at: start, ms: 1 });
  const { Items = [] } = await database.send(new ScanCommand({ TableName: 'attempts' }));
  expect(Items.find(({ pk }) => String(pk).includes(ref.tenantId))?.['ttl']).toBe(start / 1_000 + 3 * 86_400);
});

test('a note that fails changes nothing', async () => {
  const broken = new AttemptLog(database, 'missing');
  await broken.note(ref, records, failed, { at: start, ms: 1 });
  expect(warn).toHaveBeenCalledWith('attempt not noted', expect.objectContaining(ref));
});

test('a note of an event without an id is not made, and the delivery goes on', async () => {
  const { records: nameless } = pack([{ orderingKey: 'a', event: '{}' }], { lanes: 1, lineEnd: '' });
  await log().note(ref, nameless, delivered, { at: start, ms: 1 });
  expect(warn).toHaveBeenCalledWith('attempt not noted', expect.objectContaining(ref));
});

test('a note that gets no answer is given up, and the delivery goes on', async () => {
  const send = async (_: unknown, { abortSignal }: { abortSignal: AbortSignal }) =>
    await new Promise((_resolve, reject) => {
      abortSignal.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const silent = new AttemptLog({ send } as unknown as DynamoDBDocumentClient, 'attempts');
  await silent.note(ref, records, failed, { at: start, ms: 1 });
  expect(warn).toHaveBeenCalledWith('attempt not noted', expect.objectContaining(ref));
});

test("a tenant does not see what AWS says of the operator's resources", () => {
  const view = (actor: Fault['actor'], isOperator?: boolean) =>
    attemptView({ ...entry, code: 'x', reason: fault.reason, actor }, isOperator).error;
  const whole = `x: ${fault.reason}`;
  expect([view('tenant'), view('operator'), view('operator', true)]).toEqual([
    whole,
    'x: The receiver answers.',
    whole,
  ]);
});

test('control characters of an answer are escaped', () => {
  expect(attemptView({ ...entry, answer: 'é\n\u001b[31m\u202e' }).answer).toBe(
    String.raw`é\u{a}\u{1b}[31m\u{202e}`,
  );
});
