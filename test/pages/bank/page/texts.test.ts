import { describe, expect, test } from '@jest/globals';
import { nextOf } from '../../../../pages/bank/page/website/tabs.js';
import {
  meaningOf,
  resultOf,
  withCall,
  type ShownCall,
} from '../../../../pages/bank/page/behind/call-text.js';
import { eventMeaning, withEvent } from '../../../../pages/bank/page/behind/event-text.js';
import { detailRows } from '../../../../pages/bank/page/text/details.js';
import { ago, countdown, countdownWords, money } from '../../../../pages/bank/page/text/format.js';

const call = (method: string, path: string, status = 200, answer?: unknown) => ({
  ...{ at: '2026-11-22T09:30:00.000Z', ms: 8 },
  ...{ method, path, status, answer },
});

describe('the calls', () => {
  test.each([
    ['POST', '/omi/push/user/anna', 'Ask this user on the phone'],
    ['POST', '/omi/push/user/anna/device/1', 'Ask this user on the phone'],
    ['GET', '/omi/push/confirmation', 'Is there an answer?'],
    ['DELETE', '/omi/push/confirmation', 'Withdraw the question'],
    ['GET', '/omi/users/anna/devices', 'Which phones does this user have?'],
    ['DELETE', '/omi/users/anna/devices/1', 'Remove a phone'],
    ['POST', '/omi/enrol/qr', 'Make a code for a new phone'],
    ['GET', '/omi/enrol/status', 'Was the code scanned?'],
    ['GET', '/omi/other', 'A call to OMI'],
  ])('%s %s means: %s', (method, path, meaning) => {
    expect(meaningOf({ method, path })).toBe(meaning);
  });

  test('show the status, and what it means', () => {
    expect(resultOf(call('GET', '/', 200, { status: 'pending' }))).toBe('200 pending');
    expect(resultOf(call('GET', '/', 409, { status: 409, code: 'already-decided' }))).toBe(
      '409 already-decided',
    );
    expect(resultOf(call('DELETE', '/', 204))).toBe('204');
  });

  test('group equal polls, and nothing else', () => {
    const pending = call('GET', '/omi/push/confirmation', 200, { status: 'pending' });
    const decided = call('GET', '/omi/push/confirmation', 200, { status: 'confirmed' });
    const post = call('POST', '/omi/push/user/anna', 202, { status: 'pending' });
    const shown = [post, post, pending, pending, pending, decided].reduce<ShownCall[]>(withCall, []);
    expect(shown.map(({ method, count }) => [method, count])).toEqual([
      ['GET', 1],
      ['GET', 3],
      ['POST', 1],
      ['POST', 1],
    ]);
  });

  test('are limited to the newest forty', () => {
    const many = Array.from({ length: 60 }, (_, index) => call('POST', `/${index}`)).reduce<ShownCall[]>(
      withCall,
      [],
    );
    expect(many).toHaveLength(40);
    expect(many[0]?.path).toBe('/59');
  });
});

describe('the events', () => {
  const event = (eventId: string, type: string) => ({
    metadata: { eventId, type, occurredTime: '2026-11-22T09:30:00.000Z' },
    payload: {},
  });

  test('are shown once if they arrive twice', () => {
    const once = withEvent([], event('1', 'PushNotificationSentEvent'));
    expect(withEvent(once, event('1', 'PushNotificationSentEvent'))).toBe(once);
    expect(withEvent(once, event('2', 'UserDeviceRegisteredEvent'))).toHaveLength(2);
  });

  test('have a plain meaning, or their own name', () => {
    expect(eventMeaning(event('1', 'PushNotificationConfirmedEvent'))).toBe('The user confirmed');
    expect(eventMeaning(event('1', 'UserSignedInEvent'))).toBe('UserSignedInEvent');
    expect(eventMeaning(event('1', 'constructor'))).toBe('constructor');
  });
});

describe('texts', () => {
  test('format money and time', () => {
    expect(money(1234.5)).toBe('€1,234.50');
    expect([0, 999, 65_000, -5, 3_600_000, 86_399_000].map(countdown)).toEqual([
      ...['0:00', '0:01', '1:05', '0:00', '1:00:00', '23:59:59'],
    ]);
    expect([0, 1_000, 60_000, 125_000, 3_601_000, 7_260_000].map(countdownWords)).toEqual([
      '0 seconds',
      '1 second',
      '1 minute',
      '2 minutes and 5 seconds',
      '1 hour',
      '2 hours and 1 minute',
    ]);
  });

  test('state how long ago something was', () => {
    const at = (now: string): string => ago('2026-11-22T09:30:00.000Z', Date.parse(now));
    expect(
      ['09:29:00', '09:30:59', '09:31:00', '09:32:59', '11:31:00'].map((time) => at(`2026-11-22T${time}Z`)),
    ).toEqual([...['now', 'now', '1 minute ago', '2 minutes ago', '2 hours ago']]);
  });

  test('show every member of details with all digits', () => {
    expect(
      detailRows(
        '[{"type":"payment","to":{"iban":"DE"},"amount":12345678901234567890.10,"urgent":true,"x":[]}]',
      ),
    ).toEqual([
      { name: '1.', value: '', level: 0 },
      { name: 'type', value: 'payment', level: 1 },
      { name: 'to', value: '', level: 1 },
      { name: 'iban', value: 'DE', level: 2 },
      { name: 'amount', value: '12345678901234567890.10', level: 1 },
      { name: 'urgent', value: 'true', level: 1 },
      { name: 'x', value: '(empty)', level: 1 },
    ]);
    expect(detailRows('[{')).toBeUndefined();
  });

  test('the tabs are reached in a circle', () => {
    expect(nextOf('ArrowRight', 4, 3)).toBe(0);
    expect(nextOf('ArrowLeft', 4, 0)).toBe(3);
    expect([nextOf('Home', 4, 2), nextOf('End', 4, 2), nextOf('a', 4, 2)]).toEqual([0, 3, undefined]);
  });
});
