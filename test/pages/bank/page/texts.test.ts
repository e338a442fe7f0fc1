import { describe, expect, test } from '@jest/globals';
import { nextOf } from '../../../../pages/bank/page/website/tabs.js';
import {
  meaningOf,
  resultOf,
  withCall,
  type ShownCall,
} from '../../../../pages/bank/page/behind/call-text.js';
import { eventMeaning, withEvent } from '../../../../pages/bank/page/behind/event-text.js';
import { money } from '../../../../pages/bank/page/text/format.js';

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
  test('format money', () => {
    expect(money(1234.5)).toBe('1,234.50 €');
  });

  test('the tabs are reached in a circle', () => {
    expect(nextOf('ArrowRight', 4, 3)).toBe(0);
    expect(nextOf('ArrowLeft', 4, 0)).toBe(3);
    expect([nextOf('Home', 4, 2), nextOf('End', 4, 2), nextOf('a', 4, 2)]).toEqual([0, 3, undefined]);
  });
});
