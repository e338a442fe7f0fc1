import { describe, expect, test } from '@jest/globals';
import type { Message } from '../../../../pages/app/src/state/messages.ts';
import { worldWithChallenge } from './world.ts';

const decide = (
  decision: 'confirm' | 'deny' | 'not_me',
  more: { number?: string; unverified?: boolean } = {},
) => ({ type: 'decided', challengeId: 'one', decision, ...more }) satisfies Message;
const failed = (code: string, more: { serverTime?: string } = {}) =>
  ({ type: 'answer-failed', challengeId: 'one', failure: { code, ...more } }) satisfies Message;
const answered = (status: string) => ({ type: 'answered', challengeId: 'one', status }) satisfies Message;

const userVerification = { id: 'id', authenticatorData: 'a', clientDataJSON: 'c', signature: 's' };
const verified = {
  type: 'verified',
  challengeId: 'one',
  result: { outcome: 'verified', userVerification },
} satisfies Message;
const passkey = { id: 'id', rpId: 'app.example.org' };

describe('an answer', () => {
  test.each([
    ['confirm', { decision: 'confirm' }, 'confirmed', 'confirmed'],
    ['deny', { decision: 'deny', reason: 'user_declined' }, 'denied', 'denied'],
    ['not_me', { decision: 'deny', reason: 'not_me' }, 'denied', 'not_me'],
  ] as const)(
    'is sent with %s, and its result is recorded and sent to the other tabs',
    (decision, answer, status, outcome) => {
      const world = worldWithChallenge().send(decide(decision));
      expect(world.takenOf('answer')).toMatchObject([{ answer }]);
      expect(world.state.answering).toMatchObject({ phase: 'sending' });
      world.send(answered(status));
      expect(world.state).toMatchObject({ challenges: [], ended: { one: { outcome, elsewhere: false } } });
      expect(world.state.answering).toBeUndefined();
      expect(world.taken()).toMatchObject([
        { type: 'record', entry: { challengeId: 'one', deviceId: 'phone', outcome, at: world.now } },
        { type: 'announce', challengeId: 'one', outcome },
        { type: 'close-notification', challengeId: 'one' },
      ]);
    },
  );

  test('is sent once, however often the button is pressed', () => {
    const world = worldWithChallenge().send(decide('confirm'), decide('confirm'), decide('deny'));
    expect(world.takenOf('answer')).toHaveLength(1);
  });

  test('is ignored for another challenge', () => {
    const world = worldWithChallenge().send({ ...decide('confirm'), challengeId: 'other' });
    expect(world.taken()).toEqual([]);
  });

  test.each([
    ['wrong-number', 'failed'],
    ['already-decided', 'cancelled'],
    ['challenge-not-found', 'cancelled'],
    ['challenge-expired', 'expired'],
    ['message-mismatch', 'mismatch'],
  ])('ends, after the refusal %s, as %s', (code, outcome) => {
    const world = worldWithChallenge().send(decide('confirm'), failed(code));
    expect(world.state.ended).toMatchObject({ one: { outcome } });
    expect(world.state.challenges).toEqual([]);
  });

  test.each([
    ['network', 'not-sent'],
    ['temporarily-unavailable', 'not-sent'],
    ['unexpected-answer', 'unexpected'],
    ['user-verification-failed', 'verification-failed'],
    ['passkey-counter', 'passkey-counter'],
  ])('stays open after the problem %s, reports it, and may be sent again', (code, problem) => {
    const world = worldWithChallenge().send(decide('confirm'), failed(code));
    expect(world.state.answering).toMatchObject({ phase: 'idle', problem });
    world.taken();
    expect(world.send(decide('confirm')).takenOf('answer')).toHaveLength(1);
    expect(world.state.answering?.problem).toBeUndefined();
  });

  test('reports how wrong the clock is when it is refused for the clock', () => {
    const world = worldWithChallenge();
    const serverTime = new Date(world.now - 7 * 60_000).toISOString();
    world.send(decide('confirm'), failed('clock-skew', { serverTime }));
    expect(world.state).toMatchObject({ clockOffsetMs: -7 * 60_000, answering: { problem: 'clock' } });
  });

  test('marks the device as removed when the service no longer knows it', () => {
    const world = worldWithChallenge().send(decide('confirm'), failed('invalid-signature'));
    expect(world.state).toMatchObject({ challenges: [], contacts: { phone: { state: 'removed' } } });
  });

  test('does not block the next answer when it is sent while the device is found removed', () => {
    const world = worldWithChallenge().send(decide('confirm'));
    world.send({ type: 'fetch-failed', deviceId: 'phone', failure: { code: 'invalid-signature' } });
    expect(world.state.answering).toBeUndefined();
    world.send({ type: 'accounts', accounts: [], lost: [] });
    expect(world.state).toMatchObject({ accounts: [], challenges: [] });
  });

  test('leaves no problem behind when the user leaves the challenge', () => {
    const world = worldWithChallenge().send(decide('confirm'), failed('network'));
    world.send({ type: 'routed', route: { screen: 'home' } });
    expect(world.state.answering).toBeUndefined();
  });
});

describe('number matching', () => {
  test('confirms only with one of the three numbers', () => {
    const world = worldWithChallenge({ matchNumbers: ['27', '61', '90'] });
    for (const more of [{}, { number: '28' }]) {
      world.send(decide('confirm', more));
      expect(world.state.answering).toMatchObject({ phase: 'idle', problem: 'number-missing' });
    }
    expect(world.takenOf('answer')).toEqual([]);
    world.send(decide('confirm', { number: '61' }));
    expect(world.takenOf('answer')).toMatchObject([{ answer: { decision: 'confirm', number: '61' } }]);
  });

  test('asks for a typed number before the fingerprint', () => {
    const typed = { typedNumber: true, userVerification: 'required' } as const;
    const world = worldWithChallenge(typed, { passkey }).send(decide('confirm'));
    expect(world.state.answering).toMatchObject({ phase: 'idle', problem: 'number-missing' });
    expect(world.taken()).toEqual([]);
    world.send(decide('confirm', { number: '123' }));
    expect(world.state.answering).toMatchObject({ problem: 'number-format' });
    world.send(decide('confirm', { number: '839201' }));
    expect(world.takenOf('verify')).toHaveLength(1);
    world.send(verified);
    expect(world.takenOf('answer')).toMatchObject([{ answer: { number: '839201', userVerification } }]);
  });

  test('asks for a number to type when the service wants one, and checks its form', () => {
    const world = worldWithChallenge().send(decide('confirm'), failed('number-required'));
    expect(world.state.answering).toMatchObject({ phase: 'idle', asksNumber: true });
    expect(world.state.answering?.problem).toBeUndefined();
    world.taken();
    world.send(decide('confirm'));
    expect(world.state.answering).toMatchObject({ problem: 'number-missing' });
    world.send(decide('confirm', { number: '12345' }));
    expect(world.state.answering).toMatchObject({ problem: 'number-format' });
    expect(world.takenOf('answer')).toEqual([]);
    world.send(decide('confirm', { number: '123456' }));
    expect(world.takenOf('answer')).toMatchObject([{ answer: { number: '123456' } }]);
  });

  test.each(['deny', 'not_me'] as const)('needs no number to %s', (decision) => {
    const world = worldWithChallenge({ matchNumbers: ['27', '61', '90'] }).send(decide(decision));
    expect(world.takenOf('answer')).toHaveLength(1);
  });
});

describe('user verification', () => {
  test.each(['preferred', 'required'] as const)(
    'requires the passkey when it is %s, and its signature is sent',
    (mode) => {
      const world = worldWithChallenge({ userVerification: mode }, { passkey }).send(decide('confirm'));
      expect(world.taken()).toMatchObject([{ type: 'verify' }]);
      world.send(verified);
      expect(world.taken()).toMatchObject([
        { type: 'answer', answer: { decision: 'confirm', userVerification } },
      ]);
      world.send(answered('confirmed'));
      expect(world.takenOf('record')).toMatchObject([{ entry: { userVerified: true } }]);
    },
  );

  test('is not requested when it is off, nor for a denial', () => {
    expect(worldWithChallenge({}, { passkey }).send(decide('confirm')).taken()).toMatchObject([
      { type: 'answer' },
    ]);
    const world = worldWithChallenge({ userVerification: 'required' }, { passkey }).send(decide('deny'));
    expect(world.taken()).toMatchObject([{ type: 'answer' }]);
  });

  test('sends nothing when the user cancels it; if it is preferred, the user may continue without it', () => {
    const cancelled = {
      type: 'verified',
      challengeId: 'one',
      result: { outcome: 'cancelled' },
    } satisfies Message;
    for (const mode of ['preferred', 'required'] as const) {
      const world = worldWithChallenge({ userVerification: mode }, { passkey });
      world.send(decide('confirm'), cancelled);
      expect(world.state.answering).toMatchObject({ phase: 'idle', problem: 'verification-cancelled' });
      world.taken();
      world.send(decide('confirm', { unverified: true }));
      expect(world.taken()).toMatchObject([{ type: mode === 'preferred' ? 'answer' : 'verify' }]);
    }
  });

  test('stops without a passkey if it is required, and continues if it is preferred', () => {
    const required = worldWithChallenge({ userVerification: 'required' }).send(decide('confirm'));
    expect(required.taken()).toEqual([]);
    expect(required.state.answering).toMatchObject({ problem: 'passkey-missing' });
    const preferred = worldWithChallenge({ userVerification: 'preferred' }).send(decide('confirm'));
    expect(preferred.taken()).toMatchObject([{ type: 'answer' }]);
  });

  test('is done with the next press when the service requires it only now', () => {
    const world = worldWithChallenge({}, { passkey }).send(
      decide('confirm'),
      failed('user-verification-required'),
    );
    expect(world.state.answering).toMatchObject({ problem: 'verification-needed' });
    world.taken();
    expect(world.send(decide('confirm')).taken()).toMatchObject([{ type: 'verify' }]);
  });

  test('is not repeated when only the number was missing', () => {
    const world = worldWithChallenge({ userVerification: 'required' }, { passkey });
    world.send(decide('confirm'), verified, failed('number-required'));
    world.taken();
    world.send(decide('confirm', { number: '123456' }));
    expect(world.taken()).toMatchObject([{ type: 'answer', answer: { number: '123456', userVerification } }]);
  });

  test('is repeated when the service did not accept it', () => {
    const world = worldWithChallenge({ userVerification: 'required' }, { passkey });
    world.send(decide('confirm'), verified, failed('user-verification-failed'));
    world.taken();
    expect(world.send(decide('confirm')).taken()).toMatchObject([{ type: 'verify' }]);
  });

  test('is ignored when it ends after the challenge expired', () => {
    const world = worldWithChallenge({ userVerification: 'required' }, { passkey }).send(decide('confirm'));
    world.pass(106_000).send({ type: 'ticked' }, verified);
    expect(world.takenOf('answer')).toEqual([]);
    expect(world.state.ended).toMatchObject({ one: { outcome: 'expired' } });
  });
});
