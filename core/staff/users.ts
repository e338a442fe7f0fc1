import { askedTimes } from '../devices/asked-times.ts';
import type { DeviceStore, UserRecord } from '../devices/device-store.ts';
import { deviceViews, type User } from '../devices/device.ts';
import { limitViews } from '../devices/limit-views.ts';
import { closeExpired, type PushHistory, pushLimitsOf, resetLimits } from '../devices/push-history.ts';
import { recoveryState, type Recovery } from '../devices/recovery.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { StaffLogType } from '../events/own-events.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retention } from '../kernel/retention.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { rfc3339 } from '../kernel/time.ts';
import type { Profile } from '../tenants/profile.ts';
import type { AskedConfirmations } from './asked-confirmation-store.ts';
import type { ActContext, StaffLog } from './staff-log.ts';
import type { UserAct } from './requests.ts';
import { requireTenant, tenantView, type TenantDirectory } from './tenant-directory-store.ts';

export type UserDeps = {
  tenants: Pick<TenantDirectory, 'find'>;
  devices: DeviceStore;
  log: StaffLog;
};

/** The most confirmations of an answer. */
const pageSize = 25;

/** @throws {Refusal} `user-not-found` */
export async function requireUser(devices: Pick<DeviceStore, 'loadUser'>, user: User): Promise<UserRecord> {
  const found = await devices.loadUser(user);
  if (found.version > 0) return found;
  throw new Refusal('user-not-found', 'The service holds nothing of a user with exactly this id.');
}

export const recoveryView = (recovery: Recovery, now: number) => ({
  recoveryId: recovery.recoveryId,
  state: recoveryState(recovery, now),
  requestedBy: recovery.requestedBy,
  requestedAt: rfc3339(recovery.requestedAt),
  ...(recovery.agreedBy !== undefined && { agreedBy: recovery.agreedBy }),
  expiresAt: rfc3339(recovery.expiresAt),
});

/** What the help desk sees of a user. Nobody sees it without an event. */
export async function viewUser(
  deps: UserDeps & { asked: AskedConfirmations },
  user: User,
  before: number | undefined,
  context: ActContext,
) {
  const profile = await requireTenant(deps.tenants, context.member, user.tenantId);
  const found = await requireUser(deps.devices, user);
  await retryOnConflict(
    async () =>
      await deps.log.commit(
        [],
        {
          tenantId: user.tenantId,
          type: 'StaffUserViewedEvent',
          description: 'A member of the help desk looked at a user',
          payload: { userId: user.userId },
        },
        context,
      ),
  );
  const { now } = context;
  const times = askedTimes(found.history.asked).filter(
    (at) => at > now - retention.event && at < (before ?? now + 1),
  );
  const page = times.slice(-pageSize);
  const confirmations = await deps.asked.find(user, page);
  const [oldest] = page;
  const next = times.length > page.length && oldest !== undefined ? { before: rfc3339(oldest) } : {};
  return { ...userView(profile, user, found, now), confirmations, ...next };
}

function userView(profile: Profile, { userId }: User, found: UserRecord, now: number) {
  const { accountLabel, suspendedAt, recovery } = found.history;
  return {
    userId,
    tenant: tenantView(profile),
    ...(accountLabel !== undefined && { account: accountLabel }),
    ...(suspendedAt !== undefined && { suspendedSince: rfc3339(suspendedAt) }),
    devices: deviceViews(found.devices),
    limits: limitViews(found, profile.settings, now),
    ...(recovery && { recovery: recoveryView(recovery, now) }),
  };
}

type Change = {
  type: StaffLogType;
  description: string;
  /** Nothing if it is done already. @throws {Refusal} */
  apply: (history: PushHistory, profile: Profile, now: number) => PushHistory | undefined;
};

const changes: Record<UserAct, Change> = {
  'reset-limits': {
    type: 'StaffUserLimitsResetEvent',
    description: 'A member of the help desk reset the push limits of a user',
    apply: (history, { settings }, now) => {
      const limits = pushLimitsOf(closeExpired(history, now), settings.pushLimits, now);
      return limits.every(({ counted }) => counted === 0) ? undefined : resetLimits(history, now);
    },
  },
  suspend: {
    type: 'StaffUserSuspendedEvent',
    description: 'A member of the help desk suspended a user',
    apply: (history, _, now) =>
      history.suspendedAt === undefined ? { ...history, suspendedAt: now } : undefined,
  },
  unsuspend: {
    type: 'StaffUserResumedEvent',
    description: 'A member of the help desk ended the suspension of a user',
    apply: ({ suspendedAt, ...history }) => (suspendedAt === undefined ? undefined : history),
  },
  'withdraw-recovery': {
    type: 'StaffRecoveryWithdrawnEvent',
    description: 'A member of the help desk withdrew a recovery',
    apply: (history, _, now) => {
      const { recovery } = history;
      const state = recovery && recoveryState(recovery, now);
      if (!recovery || state === 'expired')
        throw new Refusal('recovery-not-found', 'No recovery of the user is open.');
      return state === 'stopped' ? undefined : { ...history, recovery: { ...recovery, stoppedAt: now } };
    },
  },
};

/** Changes a user's record, with the event of it. What is done already is not done again. */
export async function changeUser(
  deps: UserDeps,
  user: User,
  act: UserAct,
  context: ActContext,
): Promise<void> {
  const profile = await requireTenant(deps.tenants, context.member, user.tenantId);
  const { type, description, apply } = changes[act];
  const { tenantId, userId } = user;
  await retryOnConflict(async () => {
    const found = await requireUser(deps.devices, user);
    const history = apply(found.history, profile, context.now);
    if (!history) return;
    try {
      const saved = deps.devices.saveHistory(user, found, history);
      await deps.log.commit([saved], { tenantId, type, description, payload: { userId } }, context);
    } catch (error) {
      if (error instanceof ConditionsFailed) throw new ConflictError('changed meanwhile', { cause: error });
      throw error;
    }
  });
}
