import { randomBytes, randomUUID } from 'node:crypto';
import type { ConfirmationStore } from '../confirmations/confirmation-store.ts';
import { confirmationSent } from '../confirmations/confirmation-events.ts';
import type { Confirmation } from '../confirmations/confirmation.ts';
import { writeContext } from '../confirmations/context.ts';
import { deliverPush } from '../confirmations/deliver-push.ts';
import { pendingNow } from '../confirmations/send-confirmation.ts';
import type { UserRecord } from '../devices/device-store.ts';
import type { Device, User } from '../devices/device.ts';
import type { PushChannels } from '../devices/push/push-channels.ts';
import { recoveryLifetimeMs, recoveryState, type Recovery } from '../devices/recovery.ts';
import { userSuspended } from '../devices/user-suspended.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { Outbox } from '../events/outbox-writer.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { sha256 } from '../kernel/identifiers.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { seconds } from '../kernel/time.ts';
import type { Profile } from '../tenants/profile.ts';
import { helpDeskOf } from './help-desk.ts';
import type { Act, ActContext } from './staff-log.ts';
import { requireActiveTenant } from './tenant-directory-store.ts';
import { requireUser, type UserDeps } from './users.ts';

export type RecoveryDeps = UserDeps & {
  confirmations: ConfirmationStore;
  outbox: Outbox;
  push: PushChannels;
};

export type RecoveryRequest = User & {
  /** The recovery that another member asked for. Absent: ask for one. */
  agreeTo?: string | undefined;
};

/** Fixed, so that no attacker can word it. The device signs it. */
const message =
  'Our help desk lets a new device be added to your account in the next 24 hours. If you did not ask for this, deny it now.';

/** A recovery, and what is to be written and told if it is new or allowed now. */
type Step = { recovery: Recovery; act?: Act; question?: Confirmation };

/**
 * Lets the tenant's website enrol one device for a user who has none left to confirm with; or only asks another member of
 * staff to agree, where the tenant wants two. All devices of the user are told once it is allowed, and can stop it.
 *
 * @throws {Refusal} `not-your-tenant`, `tenant-not-found`, `tenant-suspended`, `user-not-found`, `user-suspended`,
 * `recovery-not-found`, `another-member-required`
 */
export async function allowRecovery(
  deps: RecoveryDeps,
  request: RecoveryRequest,
  context: ActContext,
): Promise<Recovery> {
  const profile = await requireActiveTenant(deps.tenants, context.member, request.tenantId);
  const { recovery, question, devices } = await retryOnConflict(async () => {
    const found = await requireUser(deps.devices, request);
    if (found.history.suspendedAt !== undefined) throw userSuspended();
    const step = nextStep(request, profile, found, context);
    await record(deps, request, found, step, context);
    return { ...step, devices: found.devices };
  });
  if (question) await deliverPush(deps, question, devices, profile.settings.genericPushText);
  return recovery;
}

function nextStep(request: RecoveryRequest, profile: Profile, found: UserRecord, context: ActContext): Step {
  const { recovery: current } = found.history;
  const state = current && recoveryState(current, context.now);
  if (request.agreeTo !== undefined) return agree(request.agreeTo, request, profile, found, context);
  // The same request again, or one that is open already.
  if (current && (state === 'requested' || state === 'allowed')) return { recovery: current };
  const { memberId } = context.member;
  const asked: Recovery = {
    recoveryId: randomUUID(),
    requestedBy: memberId,
    requestedAt: context.now,
    expiresAt: context.now + recoveryLifetimeMs,
  };
  if (profile.settings.recoveryBy === 'one') return allowed(asked, request, profile, found, context);
  return {
    recovery: asked,
    act: {
      tenantId: request.tenantId,
      type: 'StaffRecoveryRequestedEvent',
      description: 'A member of the help desk asked for a recovery, to which another member must agree',
      payload: { userId: request.userId, recoveryId: asked.recoveryId },
    },
  };
}

function agree(
  recoveryId: string,
  user: User,
  profile: Profile,
  found: UserRecord,
  context: ActContext,
): Step {
  const { recovery } = found.history;
  const { memberId } = context.member;
  if (recovery?.recoveryId !== recoveryId) throw noRecovery();
  const state = recoveryState(recovery, context.now);
  if (state === 'allowed' && recovery.agreedBy === memberId) return { recovery };
  if (state !== 'requested') throw noRecovery();
  if (recovery.requestedBy === memberId)
    throw new Refusal(
      'another-member-required',
      'You asked for this recovery. Another member of staff must agree to it.',
    );
  return allowed({ ...recovery, agreedBy: memberId }, user, profile, found, context);
}

const noRecovery = (): Refusal =>
  new Refusal('recovery-not-found', 'No such recovery of the user waits for an agreement.');

/** It counts from now. */
function allowed(
  asked: Recovery,
  { tenantId, userId }: User,
  profile: Profile,
  { devices }: UserRecord,
  context: ActContext,
): Step {
  const { now } = context;
  const question = devices.length === 0 ? undefined : questionTo(devices, userId, profile, now);
  const recovery: Recovery = {
    ...asked,
    allowedAt: now,
    expiresAt: now + recoveryLifetimeMs,
    ...(question && {
      question: {
        challengeId: question.challengeId,
        deviceIds: devices.map(({ deviceId }) => deviceId),
      },
    }),
  };
  const act: Act = {
    tenantId,
    type: 'StaffRecoveryAllowedEvent',
    description: 'The help desk allowed the website to enrol one device for a user without a confirmation',
    payload: {
      userId,
      recoveryId: recovery.recoveryId,
      requestedBy: recovery.requestedBy,
      expiresAt: new Date(recovery.expiresAt).toISOString(),
    },
  };
  return { recovery, act, ...(question && { question }) };
}

/** What each device shows. It is open beside the questions of websites, and takes none of their places. */
function questionTo(devices: readonly Device[], userId: string, profile: Profile, now: number): Confirmation {
  const caller = helpDeskOf(profile);
  const { userVerification } = caller.settings;
  return {
    challengeId: sha256(`omi-recovery\n${randomBytes(32).toString('base64url')}`),
    userId,
    ...writeContext({ requester: caller.requester, purpose: 'add-device', userVerification }),
    ...pendingNow({ message, details: undefined, expiresIn: recoveryLifetimeMs / seconds }, { caller, now }),
    asked: devices.map(({ deviceId }) => deviceId),
    fetchedBy: {},
    attemptId: randomUUID(),
  };
}

async function record(
  { devices, confirmations, outbox, log }: RecoveryDeps,
  user: User,
  found: UserRecord,
  { recovery, act, question }: Step,
  context: ActContext,
): Promise<void> {
  if (!act) return;
  try {
    await outbox.commit(
      [
        devices.saveHistory(user, found, { ...found.history, recovery }),
        ...(question ? [confirmations.create(question)] : []),
        ...log.writes(act, context),
      ],
      question ? [confirmationSent(question)] : [],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('changed meanwhile', { cause: error });
    throw error;
  }
}
