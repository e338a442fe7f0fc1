import { describe, expect, test } from '@jest/globals';
import { WebCryptoKey } from '#device';
import type { Account } from '../../../../pages/app/src/platform/index.ts';
import type { Message } from '../../../../pages/app/src/state/messages.ts';
import { initialState, type Answering, type State } from '../../../../pages/app/src/state/state.ts';
import { update } from '../../../../pages/app/src/state/update.ts';

const now = Date.parse('2026-11-22T08:00:00Z');
const challengeId = 'challenge';

const account: Account = {
  deviceId: 'device',
  tenantId: 'tenant',
  userId: 'user',
  baseUrl: 'https://api.example',
  name: 'Laptop',
  tenantName: 'Bank',
  enrolledAt: now,
  key: await WebCryptoKey.generate(),
};

const answering: Answering = {
  challengeId,
  phase: 'sending',
  decision: 'confirm',
  asksNumber: false,
  requiresVerification: false,
};

/** The user has confirmed, and the answer is on its way. */
const sending: State = {
  ...initialState(now, { screen: 'challenge', challengeId }),
  phase: 'ready',
  accounts: [account],
  challenges: [
    {
      deviceId: account.deviceId,
      deadline: now + 60_000,
      context: { userVerification: 'off' },
      challenge: {
        challengeId,
        tenant: 'Bank',
        message: 'Pay 10 €?',
        messageHash: 'hash',
        context: '{"userVerification":"off"}',
        contextHash: 'hash',
        createdAt: '2026-11-22T07:59:59Z',
        expiresAt: '2026-11-22T08:01:00Z',
        expiresInMs: 60_000,
      },
    },
  ],
  answering,
};

const after = (state: State, ...messages: Message[]): State =>
  messages.reduce((current, message) => update(current, message, now)[0], state);

const fromTab = (outcome: 'confirmed' | 'cancelled' | 'expired'): Message => ({
  type: 'tab',
  message: { type: 'answered', challengeId, outcome },
});

const arrived: Message = { type: 'answered', challengeId, status: 'confirmed' };
const tooLate: Message = { type: 'answer-failed', challengeId, failure: { code: 'already-decided' } };

describe('an answer in two windows', () => {
  test.each(['cancelled', 'expired'] as const)(
    'counts although the other window shows %s while it is being sent',
    (outcome) => {
      const { ended } = after(sending, fromTab(outcome), arrived);
      expect(ended[challengeId]).toMatchObject({ outcome: 'confirmed', elsewhere: false });
    },
  );

  test('is shown in both windows when the other one answered first', () => {
    const { ended } = after(sending, tooLate, fromTab('confirmed'));
    expect(ended[challengeId]).toMatchObject({ outcome: 'confirmed', elsewhere: true });
  });
});

test.each(['constructor', 'toString', '__proto__'])('a refusal with the code %s ends nothing', (code) => {
  const state = after(sending, { type: 'answer-failed', challengeId, failure: { code } });
  expect(state.ended).toEqual({});
  expect(state.answering).toMatchObject({ phase: 'idle', problem: 'unexpected' });
});
