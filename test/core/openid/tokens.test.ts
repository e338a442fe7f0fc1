import { plainContext } from '../../support/plain-context.ts';
import { describe, expect, test } from '@jest/globals';
import type { Confirmation } from '../../../core/confirmations/confirmation.ts';
import { issueTokens } from '../../../core/openid/tokens.ts';

const now = Date.UTC(2026, 0, 1, 12) + 999;
const inSeconds = Date.UTC(2026, 0, 1, 12) / 1000;

const confirmed: Confirmation = {
  ...{
    challengeId: 'challenge',
    tenantId: 'tenant',
    clientId: 'payments',
    userId: 'anna',
    deviceId: 'phone',
  },
  ...plainContext,
  ...{ message: 'Pay?', messageHash: 'hash', expiresIn: 120, status: 'confirmed', delivery: 'sent' },
  ...{ createdAt: now - 60_000, decidedAt: now - 30_000, expiresAt: now + 60_000, attemptId: 'attempt' },
  ciba: { scope: 'openid payments', interval: 2_000 },
};

/** The claims of both tokens, which are signed elsewhere. */
async function claimsOf(changes: Partial<Confirmation> = {}, resource?: string) {
  const signed: Record<string, unknown>[] = [];
  const sign = async (claims: object) => {
    signed.push({ ...claims });
    return await Promise.resolve('token');
  };
  const client = { clientId: 'payments', ...(resource !== undefined && { resource }) };
  const grant = { confirmation: { ...confirmed, ...changes }, client, authReqId: 'id', now };
  await issueTokens({ signer: { sign }, issuer: 'https://omi.example' }, grant);
  const [id = {}, access = {}] = signed;
  return { id, access };
}

test('both tokens last ten minutes, and state in whole seconds when the user answered', async () => {
  const times = { iat: inSeconds, exp: inSeconds + 600, auth_time: inSeconds - 30 };

  expect(await claimsOf()).toMatchObject({ id: times, access: times });
});

describe('the audience', () => {
  test('is the client for the ID token', async () => {
    const { id } = await claimsOf({}, 'https://api.example');
    expect(id).toMatchObject({ aud: 'payments' });
  });

  test('is the resource of the client for the access token, or the client if it has none', async () => {
    expect((await claimsOf({}, 'https://api.example')).access).toMatchObject({ aud: 'https://api.example' });
    expect((await claimsOf()).access).toMatchObject({ aud: 'payments' });
  });
});

test.each<[string, Partial<Confirmation>, string[]]>([
  ['of a user whose passkey was verified', { userVerified: true }, ['pop', 'user', 'mfa']],
  ['of a device alone', {}, ['pop']],
])('amr lists the methods %s', async (_, changes, amr) => {
  expect(await claimsOf(changes)).toMatchObject({ id: { amr }, access: { amr } });
});
