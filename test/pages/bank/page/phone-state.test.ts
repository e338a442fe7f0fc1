import { describe, expect, test } from '@jest/globals';
import type { Challenge } from '#device';
import { pauseOf } from '../../../../pages/bank/page/phone/pace.js';
import {
  answered,
  answering,
  chosen,
  dismissed,
  fetched,
  initialState,
  refused,
  ticked,
  unreachable,
} from '../../../../pages/bank/page/phone/state.js';
import { nameOfNextPhone } from '../../../../pages/bank/page/text/phone-name.js';

const NOW = 1_000_000;

const challengeOf = (challengeId: string, expiresInMs = 60_000): Challenge => ({
  challengeId,
  tenant: 'Bank',
  message: `Message of ${challengeId}`,
  messageHash: 'hash',
  context: '{"userVerification":"off"}',
  contextHash: 'hash',
  createdAt: '2026-11-22T09:29:45.000Z',
  expiresAt: '2026-11-22T09:31:45.000Z',
  expiresInMs,
});

const one = challengeOf('one');
const asked = fetched(initialState, [one], NOW);
const failed = (code: string) => ({ code, message: 'Why' });

describe('a waiting request on the phone', () => {
  test('is unknown at first, and known once the service answers', () => {
    expect(initialState.contact).toBe('new');
    expect(fetched(initialState, [], NOW)).toMatchObject({ contact: 'reached', waiting: [] });
  });

  test('has the earliest deadline in the answers, whatever the clocks say', () => {
    const late = fetched(asked, [{ ...one, expiresInMs: 59_500 }], NOW + 1_000);
    expect(late.waiting).toMatchObject([{ deadline: NOW + 60_000 }]);
    const early = fetched(asked, [{ ...one, expiresInMs: 58_500 }], NOW + 1_000);
    expect(early.waiting).toMatchObject([{ deadline: NOW + 59_500 }]);
  });

  test.each([
    ['in time: withdrawn, or answered elsewhere', NOW + 59_000, 'gone'],
    ['later: expired', NOW + 60_000, 'expired'],
  ])('ends when the service no longer has it, %s', (_, now, outcome) => {
    expect(fetched(asked, [], now)).toMatchObject({ waiting: [], ended: { challenge: one, outcome } });
  });

  test('ends by its time, without a call', () => {
    expect(ticked(asked, NOW + 59_999)).toBe(asked);
    expect(ticked(asked, NOW + 60_000)).toMatchObject({ waiting: [], ended: { outcome: 'expired' } });
  });

  test('follows after the result of the first', () => {
    const two = challengeOf('two');
    const both = fetched(asked, [one, two], NOW);
    const done = answered(answering(both, 'confirm'), 'confirmed');
    expect(done).toMatchObject({
      waiting: [{ challenge: two }],
      isPaused: true,
      ended: { outcome: 'confirmed' },
    });
    expect(dismissed(done)).toMatchObject({ isPaused: false, waiting: [{ challenge: two }] });
    expect(dismissed(done).ended).toBeUndefined();
  });

  test('stays when another one that expires earlier arrives', () => {
    const urgent = challengeOf('urgent', 5_000);
    const both = fetched(asked, [urgent, one], NOW);
    expect(both.waiting).toMatchObject([{ challenge: one }, { challenge: urgent }]);
    expect(fetched(both, [urgent, challengeOf('two'), one], NOW).waiting).toMatchObject([
      { challenge: one },
      { challenge: urgent },
      { challenge: { challengeId: 'two' } },
    ]);
  });

  test('can be chosen from the list, but not while an answer is being sent', () => {
    const two = challengeOf('two');
    const three = fetched(asked, [one, two, challengeOf('three')], NOW);
    const other = chosen({ ...three, asksNumber: true, problem: 'Why' }, 'two');
    expect(other).toMatchObject({ asksNumber: false, waiting: [{ challenge: two }, { challenge: one }, {}] });
    expect(other.problem).toBeUndefined();
    const busy = answering(three, 'confirm');
    expect(chosen(busy, 'two')).toBe(busy);
  });

  test('leaves the list silently when its time is over, or when it was withdrawn', () => {
    const both = fetched(asked, [one, challengeOf('short', 5_000)], NOW);
    expect(ticked(both, NOW + 5_000)).toEqual({ ...both, waiting: asked.waiting });
    expect(fetched(both, [one], NOW)).toEqual(asked);
  });

  test('waits behind the result that the user reads, whatever happens to it', () => {
    const both = fetched(asked, [one, challengeOf('two')], NOW);
    const done = answered(answering(both, 'deny'), 'denied');
    const gone = fetched(done, [], NOW);
    expect(gone).toMatchObject({ waiting: [], ended: { challenge: one, outcome: 'denied' } });
    const over = ticked(done, NOW + 60_000);
    expect(over).toMatchObject({ waiting: [], ended: { challenge: one, outcome: 'denied' } });
  });

  test('is not shown again if it was answered while the list was being fetched', () => {
    const done = answered(answering(asked, 'confirm'), 'confirmed');
    expect(fetched(done, [one], NOW).waiting).toEqual([]);
  });

  test('stays while the answer is being sent', () => {
    const busy = answering(asked, 'confirm');
    expect(fetched(busy, [], NOW + 1_000)).toMatchObject({
      waiting: [{ challenge: one }],
      answering: 'confirm',
    });
    expect(ticked(busy, NOW + 61_000)).toBe(busy);
  });
});

describe('an answer', () => {
  test.each([
    ['confirm', 'confirmed', 'confirmed'],
    ['deny', 'denied', 'denied'],
    ['not_me', 'denied', 'not_me'],
    ['confirm', 'expired', 'gone'],
  ] as const)('%s that makes the request %s is shown as %s', (decision, status, outcome) => {
    const done = answered(answering(asked, decision), status);
    expect(done).toMatchObject({ waiting: [], answering: undefined, ended: { outcome } });
  });

  test.each([
    ['wrong-number', 'wrong-number'],
    ['message-mismatch', 'mismatch'],
    ['challenge-expired', 'expired'],
    ['challenge-not-found', 'gone'],
    ['already-decided', 'gone'],
  ])('is refused as %s and ends as %s', (code, outcome) => {
    expect(refused(answering(asked, 'confirm'), failed(code))).toMatchObject({ ended: { outcome } });
  });

  test('asks for the number once more when it was missing', () => {
    const again = refused(answering(asked, 'confirm'), failed('number-required'));
    expect(again).toMatchObject({ asksNumber: true, answering: undefined, problem: undefined });
    expect(refused(answering(again, 'confirm'), failed('number-required')).problem).toBe('Why');
  });

  test('can be repeated when it does not arrive', () => {
    const idle = refused(answering(asked, 'deny'), failed('network'));
    expect(idle).toMatchObject({ waiting: [{ challenge: one }], answering: undefined, problem: 'Why' });
    expect(answering(idle, 'deny').problem).toBeUndefined();
  });
});

describe('a phone', () => {
  test('shows only its removal when it was removed', () => {
    const removed = { contact: 'removed', waiting: [], isPaused: false, asksNumber: false };
    expect(unreachable(asked, 'invalid-signature')).toEqual(removed);
    expect(refused(answering(asked, 'confirm'), failed('invalid-signature'))).toEqual(removed);
  });

  test('keeps its screen without a connection', () => {
    expect(unreachable(asked, 'network')).toEqual({ ...asked, contact: 'unreachable' });
  });

  test('asks each second while a request is open, and rarely when nothing answers', () => {
    expect(pauseOf({ isOpen: true, failures: 0 })).toBe(1_000);
    expect(pauseOf({ isOpen: false, failures: 0 })).toBe(5_000);
    expect([1, 2, 3, 9].map((failures) => pauseOf({ isOpen: true, failures }))).toEqual([
      2_000, 4_000, 8_000, 15_000,
    ]);
  });

  test('has a name that no other phone of the user has', () => {
    expect(nameOfNextPhone('Anna Weber', [])).toBe('Anna’s phone');
    expect(nameOfNextPhone('Anna Weber', ['Anna’s phone', 'Anna’s phone 3'])).toBe('Anna’s phone 2');
  });
});
