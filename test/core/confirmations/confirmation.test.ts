import { describe, expect, test } from '@jest/globals';
import {
  challengeView,
  confirmationView,
  pollInterval,
  statusAt,
  transitions,
  type Confirmation,
} from '../../../core/confirmations/confirmation.ts';
import { writeContext } from '../../../core/confirmations/context.ts';
import { plainContext } from '../../support/plain-context.ts';
import { challengeIdOf, messageHashOf } from '../../../core/kernel/identifiers.ts';

const createdAt = Date.UTC(2026, 0, 1, 12);
const confirmation: Confirmation = {
  challengeId: challengeIdOf('t', 'nonce-of-16-chars'),
  tenantId: 't',
  clientId: 'c',
  userId: 'u',
  deviceId: 'd',
  nonce: 'nonce-of-16-chars',
  message: 'Pay 5 €?',
  messageHash: messageHashOf('Pay 5 €?'),
  ...plainContext,
  expiresIn: 120,
  status: 'pending',
  delivery: 'sent',
  createdAt,
  expiresAt: createdAt + 120_000,
  matchNumbers: { code: '42', choices: ['17', '42', '99'] },
  attemptId: 'a',
};

describe('the state machine', () => {
  test('has transitions only from pending to final states', () => {
    for (const { from, to } of Object.values(transitions)) {
      expect(from).toBe('pending');
      expect(to).not.toBe('pending');
    }
  });

  test('expires pending confirmations exactly at expiresAt', () => {
    expect(statusAt(confirmation, confirmation.expiresAt - 1)).toBe('pending');
    expect(statusAt(confirmation, confirmation.expiresAt)).toBe('expired');
    expect(statusAt({ ...confirmation, status: 'denied' }, confirmation.expiresAt)).toBe('denied');
  });
});

describe('a website sees', () => {
  test('neither message, number nor internal attributes', () => {
    const view = confirmationView(confirmation, createdAt);
    expect(Object.keys(view).sort()).toEqual(
      [
        ...[
          'context',
          'contextHash',
          'nonce',
          'challengeId',
          'tenantId',
          'userId',
          'deviceId',
          'messageHash',
          'status',
          'delivery',
        ],
        ...['createdAt', 'expiresAt', 'interval', 'userVerified'],
      ].sort(),
    );
  });

  test('an interval of 1 s while fresh and 2 s after 30 s', () => {
    expect(pollInterval(confirmation, createdAt + 29_999)).toBe(1);
    expect(pollInterval(confirmation, createdAt + 30_000)).toBe(2);
  });
});

describe('a device sees', () => {
  test('the message and the choices, but not the right number', () => {
    const view = challengeView(confirmation, createdAt + 500);
    expect(view).toEqual({
      challengeId: confirmation.challengeId,
      tenant: 'OMI',
      message: 'Pay 5 €?',
      messageHash: messageHashOf('Pay 5 €?'),
      ...plainContext,
      createdAt: '2026-01-01T12:00:00.000Z',
      expiresAt: '2026-01-01T12:02:00.000Z',
      expiresInMs: 119_500,
      matchNumbers: ['17', '42', '99'],
    });
  });

  test('the registered name of the tenant, and the label of the account if there is one', () => {
    const requester = { tenant: 'Bank', client: 'website' };
    const asked = { ...confirmation, ...writeContext({ requester, userVerification: 'off' }) };
    expect(challengeView(asked, createdAt)).toMatchObject({ tenant: 'Bank' });
    expect(challengeView(asked, createdAt)).not.toHaveProperty('account');
    expect(challengeView(asked, createdAt, { account: 'Anna' })).toMatchObject({ account: 'Anna' });
  });
});

test('a challenge id is base64url SHA-256 of tenant, line feed and nonce', () => {
  // printf 't\nnonce-of-16-chars' | openssl dgst -sha256 -binary | basenc --base64url
  expect(confirmation.challengeId).toBe('SHQO3N3BNGoUJlKxqcExTwYi_n5exdnpuwdMBK--Yxs');
});
