import { describe, expect, test } from '@jest/globals';
import type { PushHistory } from '../../../core/devices/push-history.ts';
import type { Recovery } from '../../../core/devices/recovery.ts';
import type { UserAct } from '../../../core/staff/requests.ts';
import type { Act, ActContext } from '../../../core/staff/staff-log.ts';
import { changeUser, type UserDeps } from '../../../core/staff/users.ts';

const now = Date.UTC(2026, 0, 1, 12);
const user = { tenantId: 'tenant', userId: 'user' };
const context = {
  ...{ now, origin: { traceId: 'trace' } },
  member: { memberId: 'olga', supports: 'all' },
} as unknown as ActContext;

/** What the act made of the user's record, and its event; nothing if neither was written. */
async function changed(act: UserAct, history: Partial<PushHistory>) {
  const written: { history?: PushHistory; event?: string } = {};
  const deps = {
    tenants: { find: async () => await Promise.resolve({ settings: {} }) },
    devices: {
      loadUser: async () => await Promise.resolve({ version: 1, devices: [], history }),
      saveHistory: (_: unknown, __: unknown, saved: PushHistory) => (written.history = saved),
    },
    log: {
      commit: async (_: unknown, { type }: Act) => {
        written.event = type;
        await Promise.resolve();
      },
    },
  } as unknown as UserDeps;
  await changeUser(deps, user, act, context);
  return written;
}

test('a user is suspended once, and resumed once', async () => {
  const suspended = { suspendedAt: now - 1 };
  expect(await changed('suspend', {})).toEqual({
    history: { suspendedAt: now },
    event: 'StaffUserSuspendedEvent',
  });
  expect(await changed('suspend', suspended)).toEqual({});
  expect(await changed('unsuspend', suspended)).toEqual({ history: {}, event: 'StaffUserResumedEvent' });
  expect(await changed('unsuspend', {})).toEqual({});
});

describe('a recovery that is withdrawn', () => {
  const recovery = (state: Partial<Recovery>): Partial<PushHistory> => ({
    recovery: { recoveryId: 'r', requestedBy: 'olga', requestedAt: 0, expiresAt: now + 1, ...state },
  });

  test.each([
    ['requested', {}],
    ['allowed', { allowedAt: 1 }],
    ['used', { allowedAt: 1, usedAt: 2, expiresAt: now }],
  ])('is stopped if it was %s', async (_, state) => {
    const before = recovery(state);
    expect(await changed('withdraw-recovery', before)).toEqual({
      history: { recovery: { ...before.recovery, stoppedAt: now } },
      event: 'StaffRecoveryWithdrawnEvent',
    });
  });

  test('stays as it is if it was stopped before', async () => {
    expect(await changed('withdraw-recovery', recovery({ stoppedAt: 3, expiresAt: now }))).toEqual({});
  });

  test.each([
    ['there is none', {}],
    ['it has expired', recovery({ allowedAt: 1, expiresAt: now })],
  ])('is refused if %s', async (_, history) => {
    await expect(changed('withdraw-recovery', history)).rejects.toMatchObject({ code: 'recovery-not-found' });
  });
});
