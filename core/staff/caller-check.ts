import { randomBytes, randomInt } from 'node:crypto';
import { askedDevices, statusAt, type Confirmation } from '../confirmations/confirmation.ts';
import { isSameNumber } from '../confirmations/number-matching.ts';
import { sendConfirmation, type SendDeps } from '../confirmations/send-confirmation.ts';
import type { User } from '../devices/device.ts';
import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import { helpDeskClient } from '../events/own-events.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';
import { rfc3339 } from '../kernel/time.ts';
import { helpDeskOf } from './help-desk.ts';
import type { ActContext, StaffLog } from './staff-log.ts';
import { requireActiveTenant, requireCovered } from './tenant-directory-store.ts';
import { requireUser, type UserDeps } from './users.ts';

export type CheckDeps = UserDeps & SendDeps;

/** Seconds: long enough to find the phone while somebody waits on the line. */
const checkLifetimeSeconds = 180;

/** Numbers that may be compared with that of one push. */
const mostTries = 3;

/** @param number six digits */
const messageWith = (number: string): string =>
  `Are you on the phone with our help desk? Then read this number out: ${number.slice(0, 3)} ${number.slice(3)}, and confirm. ` +
  'If nobody of us is on the phone with you, deny this.';

/**
 * "Is it really you?": shows a number on the caller's device, which the caller reads out. The member of staff does not see
 * it, and so cannot be talked into saying it.
 *
 * @throws {Refusal} `tenant-suspended`, and as a push of a website does
 */
export async function checkCaller(
  deps: CheckDeps,
  { deviceId, ...user }: User & { deviceId?: string | undefined },
  context: ActContext,
): Promise<Confirmation> {
  const { tenantId, userId } = user;
  const profile = await requireActiveTenant(deps.tenants, context.member, tenantId);
  await requireUser(deps.devices, user);
  const spokenNumber = String(randomInt(10 ** 6)).padStart(6, '0');
  const { member: _member, ...request } = context;
  const { confirmation } = await sendConfirmation(
    deps,
    {
      userId,
      ...(deviceId === undefined ? { devices: 'all' as const } : { deviceId }),
      message: messageWith(spokenNumber),
      spokenNumber,
      nonce: randomBytes(32).toString('base64url'),
      expiresIn: Math.min(checkLifetimeSeconds, profile.settings.longestLifetime),
    },
    {
      ...request,
      caller: helpDeskOf(profile),
      together: deps.log.writes(
        {
          tenantId,
          type: 'StaffCallerCheckedEvent',
          description: 'A member of the help desk asked a caller to read out a number',
          payload: { userId, ...(deviceId !== undefined && { deviceId }) },
        },
        context,
      ),
    },
  );
  return confirmation;
}

type Check = User & { checkId: string };

/** @throws {Refusal} `confirmation-not-found` */
export async function findCheck(
  deps: Pick<CheckDeps, 'confirmations'>,
  { tenantId, userId, checkId }: Check,
  context: ActContext,
): Promise<Confirmation> {
  requireCovered(context.member, tenantId);
  const found = await deps.confirmations.find(checkId, context.now);
  const isIts = found?.tenantId === tenantId && found.userId === userId && found.clientId === helpDeskClient;
  if (!isIts || !found.spoken)
    throw new Refusal('confirmation-not-found', 'The help desk asked this user nothing of this kind.');
  return found;
}

/**
 * Compares what the caller reads out.
 *
 * @throws {Refusal} `confirmation-not-found`, `already-decided`
 */
export async function compareNumber(
  deps: Pick<CheckDeps, 'confirmations'> & { log: StaffLog },
  { number, ...check }: Check & { number: string },
  context: ActContext,
): Promise<Confirmation> {
  return await retryOnConflict(async () => {
    const found = await findCheck(deps, check, context);
    const { spoken, challengeId } = found;
    const status = statusAt(found, context.now);
    if (!spoken || spoken.matchedAt !== undefined) return found;
    if (spoken.tries >= mostTries || (status !== 'pending' && status !== 'confirmed'))
      throw new Refusal('already-decided', 'This question is over. Ask the caller again.');
    const matches = isSameNumber(spoken.number, number);
    const tries = spoken.tries + 1;
    const after = { ...spoken, tries, ...(matches && { matchedAt: context.now }) };
    const { tenantId, userId } = check;
    const act = {
      tenantId,
      type: 'StaffNumberComparedEvent',
      description: 'A member of the help desk compared the number that a caller read out',
      payload: { userId, challengeId, matches },
    } as const;
    try {
      await deps.log.commit([deps.confirmations.setSpoken(challengeId, spoken, after)], act, context);
    } catch (error) {
      if (error instanceof ConditionsFailed) throw new ConflictError('compared meanwhile', { cause: error });
      throw error;
    }
    return { ...found, spoken: after };
  });
}

const comparisonOf = ({ spoken }: Confirmation): 'waiting' | 'matches' | 'wrong' => {
  if (spoken?.matchedAt !== undefined) return 'matches';
  return (spoken?.tries ?? 0) >= mostTries ? 'wrong' : 'waiting';
};

/** It never contains the number. */
export function checkView(check: Confirmation, now: number) {
  const status = statusAt(check, now);
  const comparison = comparisonOf(check);
  return {
    checkId: check.challengeId,
    status,
    ...(check.reason && { reason: check.reason }),
    delivery: check.delivery,
    deviceIds: askedDevices(check),
    ...(check.deviceId !== undefined && check.asked && { answeredOn: check.deviceId }),
    comparison,
    triesLeft: Math.max(0, mostTries - (check.spoken?.tries ?? 0)),
    isCaller: status === 'confirmed' && comparison === 'matches',
    askedAt: rfc3339(check.createdAt),
    expiresAt: rfc3339(check.expiresAt),
  };
}
