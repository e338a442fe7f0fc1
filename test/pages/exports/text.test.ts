import { toReader } from '../../../pages/exports/src/api/exports-api.ts';
import { describe, expect, test } from '@jest/globals';
import { problemOf } from '#ui/api-problem.ts';
import { barHeight } from '../../../pages/exports/src/text/bar-height.ts';
import { changesIn } from '../../../pages/exports/src/state/announcements.ts';
import { hashOf, routeOf } from '../../../pages/exports/src/state/state.ts';
import { newestFirst, totalOf, typesOf } from '../../../pages/exports/src/text/ledger-rows.ts';
import { progressOf, rangeOf } from '../../../pages/exports/src/text/range.ts';
import { agoText, durationText, eventsText, hourText, timeText } from '#ui/times.ts';
import { destinationName, destinationParts } from '../../../pages/exports/src/text/labels.ts';
import { bucketExport, hours, now, streamExport } from './gallery/states.ts';

describe('the range of a replay', () => {
  test('is in UTC, whatever the time zone of the window', () => {
    expect(rangeOf('2026-11-22T08:00', '2026-11-22T09:00', now)).toEqual({
      from: '2026-11-22T08:00:00.000Z',
      to: '2026-11-22T09:00:00.000Z',
    });
  });

  test('ends now by default', () => {
    expect(rangeOf('2026-11-22T08:00', '', now)).toMatchObject({ to: '2026-11-22T09:30:00.000Z' });
  });

  test.each([
    ['', '', 'from'],
    ['2026-11-22T08:00', '2026-11-22T', 'to'],
    ['2026-11-22T10:00', '', 'from'],
    ['2026-11-22T09:00', '2026-11-22T09:00', 'to'],
    ['2026-11-01T09:00', '2026-11-08T09:30', 'to'],
  ])('is refused beside the field: from %j to %j', (from, to, field) => {
    expect(rangeOf(from, to, now)).toMatchObject({ field });
  });
});

describe('the progress of a replay', () => {
  const range = { from: '2026-11-22T00:00:00.000Z', to: '2026-11-22T10:00:00.000Z', state: 'running' };

  test.each([
    ['2026-11-22T05', 0.5],
    ['2026-11-22T05:00:00.000Z', 0.5],
    ['2026-11-21T23', 0],
    ['2026-11-22T11', 1],
    [undefined, 0],
    ['soon', 0],
  ])('is, at the hour %s, %d', (cursorHour, share) => {
    expect(progressOf({ ...range, ...(cursorHour !== undefined && { cursorHour }) })).toBe(share);
  });

  test('is complete when it is done, and zero in an empty range', () => {
    expect(progressOf({ ...range, state: 'done' })).toBe(1);
    expect(progressOf({ ...range, to: range.from, cursorHour: '2026-11-22T05' })).toBe(0);
  });
});

describe('times', () => {
  test('are in UTC', () => {
    expect(timeText('2026-11-22T09:05:59.000Z')).toBe('22 Nov 2026, 09:05 UTC');
    expect(hourText('2026-11-22T23:00:00Z')).toBe('22 Nov, 23:00');
    expect([timeText('soon'), hourText('soon'), agoText('soon', now)]).toEqual(['soon', 'soon', 'soon']);
  });

  test.each([
    [400, 'a moment'],
    [1_000, '1 second'],
    [59_999, '59 seconds'],
    [60_000, '1 minute'],
    [7_200_000, '2 hours'],
    [172_800_000, '2 days'],
  ])('show %d ms as %s', (duration, text) => {
    expect(durationText(duration)).toBe(text);
    expect(agoText(new Date(now - duration).toISOString(), now)).toBe(`${text} ago`);
    expect(agoText(new Date(now + duration).toISOString(), now)).toBe(`in ${text}`);
  });
});

describe('the ledger', () => {
  test('is summed, and listed from its newest hour on', () => {
    const day = hours(24);
    expect(newestFirst(day)[0]).toBe(day.at(-1));
    expect(totalOf(day)).toBe(day.reduce((sum, { count }) => sum + count, 0));
    expect(eventsText(1)).toBe('1 event');
    expect(eventsText(12_345)).toBe('12,345 events');
  });

  test('has its types sorted by frequency', () => {
    const sum = (count: number) => ({ count, digest: '' });
    const [one] = hours(1);
    const types = [{ A: sum(1), B: sum(5) }, { C: sum(4) }, { A: sum(6) }];
    expect(
      typesOf(types.map((each) => ({ ...one, hour: '', count: 0, digest: '', final: true, types: each }))),
    ).toEqual(['A', 'B', 'C']);
  });

  test('shows one event among a million as a bar', () => {
    expect([barHeight(0, 10), barHeight(10, 10), barHeight(5, 10)]).toEqual([0, 100, 50]);
    expect(barHeight(1, 1_000_000)).toBeGreaterThan(1);
    expect(barHeight(0, 0)).toBe(0);
  });
});

describe('a destination', () => {
  const bus = {
    kind: 'bus',
    busArn: 'arn:aws:events:eu-central-1:444455556666:event-bus/omi-events',
    roleArn: 'arn:aws:iam::444455556666:role/omi-event-export',
  };

  test('is named by what distinguishes it', () => {
    expect(destinationName(streamExport().destination)).toBe('omi-events');
    expect(destinationName(bucketExport().destination)).toBe('nordbank-audit');
    expect(destinationName({ kind: 'webhook', url: 'https://example.com/omi' })).toBe(
      'https://example.com/omi',
    );
    expect(destinationName(bus)).toBe('omi-events');
    expect(destinationName({ kind: 'none' })).toBe('');
  });

  test('has the parts that the page knows', () => {
    const parts = destinationParts({ ...bucketExport().destination, secret: 'x', bucketOwner: { a: 1 } });
    expect(parts.map(([name]) => name)).toEqual(['Bucket', 'Key']);
    expect(destinationParts(bus)).toEqual([
      ['Event bus', bus.busArn],
      ['Role', bus.roleArn],
    ]);
  });
});

describe('the route', () => {
  test.each(['#/public', '#/log', '#/'])('%s is found again', (hash) => {
    expect(hashOf(routeOf(hash))).toBe(hash);
  });

  test.each(['', '#', '#/other', '#/public/x', '#/__proto__'])('%j is the list', (hash) => {
    expect(routeOf(hash)).toEqual({ screen: 'exports' });
  });
});

describe('a refusal', () => {
  const answer = (status: number, headers: Record<string, string> = {}) => ({
    status,
    headers: new Headers(headers),
  });

  test("is shown in the service's words, with every fault", () => {
    const body = {
      code: 'invalid-request',
      detail: 'The request is wrong.',
      errors: [{ pointer: '#/from', detail: 'expected a time' }, { detail: 'too long' }, null, {}],
    };
    expect(problemOf(answer(400), body)).toMatchObject({
      ...{ status: 400, code: 'invalid-request' },
      message: 'The request is wrong. #/from: expected a time. too long.',
    });
  });

  test.each([
    [1, 'Try again in 1 second.'],
    [45, 'Try again in 45 seconds.'],
    [2_400, 'Try again in 40 minutes.'],
  ])('states, if a limit is reached, when to try again (%d)', (seconds, words) => {
    const problem = problemOf(answer(429, { 'retry-after': String(seconds) }), {
      message: 'Too Many Requests',
    });
    expect(problem).toMatchObject({ retryAfter: seconds, message: `Too many requests. ${words}` });
  });

  test.each([
    [401, 'does not accept'],
    [403, 'does not allow'],
    [404, 'does not know'],
    [503, 'not available'],
    [418, '418'],
  ])('is explained if it is of the gateway (%d)', (status, words) => {
    expect(problemOf(answer(status), { message: 'X' }).message).toContain(words);
    expect(problemOf(answer(status), undefined).message).toContain(words);
  });
});

describe('the announcement of a screen reader after a refresh', () => {
  const requestedAt = new Date(now).toISOString();
  const running = streamExport({ lastTest: { requestedAt, outcome: 'running' } });

  test('is a changed state, or a test that has ended', () => {
    const after = streamExport({ state: 'parked', lastTest: { requestedAt, outcome: 'failed' } });
    expect(changesIn([running], [after])).toBe(
      'Public events: now Parked. Public events: The test has failed.',
    );
  });

  test('is empty if nothing has changed, or at the first time', () => {
    expect(changesIn([running], [running])).toBe('');
    expect(changesIn([streamExport()], [streamExport()])).toBe('');
    expect(changesIn(undefined, [running])).toBe('');
  });
});

test.each([
  ['The tenant must enable it, or choose another key.', 'You must enable it, or choose another key.'],
  ["The operator waits for the tenant's answer.", 'The operator waits for your answer.'],
  ['The tenant has read the text.', 'You have read the text.'],
  ['The operator must act.', 'The operator must act.'],
])('the reader is the tenant: %s', (text, read) => {
  expect(toReader(text)).toBe(read);
});
