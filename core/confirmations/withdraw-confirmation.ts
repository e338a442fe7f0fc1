import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { OpenConfirmations } from './open-confirmation-store.ts';
import type { Confirmation } from './confirmation.ts';
import type { User } from '../devices/device.ts';
import { ConflictError } from '../kernel/conflict-error.ts';
import type { RequestContext } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { confirmationEnded } from './confirmation-events.ts';
import { confirmationNotFound, isAskedByCiba, isOfWebsite } from './confirmation-of-website.ts';
import { expireIfDue, type ExpiryDeps } from './expire-if-due.ts';
import { retryOnConflict } from '../kernel/retry-on-conflict.ts';

export type WithdrawDeps = ExpiryDeps & { openConfirmations: OpenConfirmations };

/** An answer at the same time and this withdrawal exclude each other: only one meets its condition. */
async function cancel(
  deps: WithdrawDeps,
  confirmation: Confirmation,
  context: RequestContext,
  isListed: boolean,
): Promise<void> {
  const reason = 'withdrawn';
  const decision = { decidedAt: context.now, reason } as const;
  try {
    await deps.outbox.commit(
      [
        deps.confirmations.transition(confirmation.challengeId, 'cancel', context.now, decision),
        deps.openConfirmations.withdraw(confirmation, context.now, isListed),
      ],
      [confirmationEnded(confirmation, 'cancel', { reason })],
      context,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new ConflictError('decided meanwhile', { cause: error });
    throw error;
  }
}

/** The position of the write to the user's history. */
const historyPosition = 1;

const failedPositions = (error: unknown): number[] =>
  error instanceof ConflictError && error.cause instanceof ConditionsFailed
    ? [...error.cause.refused.keys()]
    : [];

/**
 * Ends a confirmation that is pending: as expired if it is due, else as withdrawn. What has ended stays as it is.
 *
 * @param check what was found, before anything is written
 * @returns the confirmation after that
 */
export async function endConfirmation(
  deps: WithdrawDeps,
  challengeId: string,
  context: RequestContext,
  check: (found: Confirmation | undefined) => Confirmation,
): Promise<Confirmation> {
  let isListed = true;
  return await retryOnConflict(async () => {
    const found = check(await deps.confirmations.find(challengeId, context.now));
    const confirmation = await expireIfDue(deps, found, context);
    if (confirmation.status !== 'pending') return confirmation;
    try {
      await cancel(deps, confirmation, context, isListed);
    } catch (error) {
      // By a clock that is ahead the confirmation was over, and the user's history already lists the next one of the device.
      if (failedPositions(error).includes(historyPosition)) isListed = false;
      throw error;
    }
    return { ...confirmation, status: 'cancelled', reason: 'withdrawn' };
  });
}

type Found = Confirmation | undefined;

async function withdraw(
  deps: WithdrawDeps,
  challengeId: string,
  context: RequestContext,
  mayWithdraw: (found: Found) => found is Confirmation,
): Promise<void> {
  const { reason, status } = await endConfirmation(deps, challengeId, context, (found) => {
    if (!mayWithdraw(found)) throw confirmationNotFound();
    return found;
  });
  if (reason !== 'withdrawn')
    throw new Refusal('already-decided', `The confirmation cannot be withdrawn: it is ${status}.`);
}

/**
 * Cancels a pending confirmation for its website. A repeated call succeeds again.
 *
 * @throws {Refusal} `confirmation-not-found`, `already-decided`
 */
export async function withdrawConfirmation(
  deps: WithdrawDeps,
  challengeId: string,
  context: RequestContext,
): Promise<void> {
  await withdraw(deps, challengeId, context, isOfWebsite);
}

/** The same for a request by CIBA and the client that made it: for others it does not exist. */
export async function withdrawRequest(
  deps: WithdrawDeps,
  challengeId: string,
  clientId: string,
  context: RequestContext,
): Promise<void> {
  const isOwn = (found: Found): found is Confirmation => isAskedByCiba(found, clientId);
  await withdraw(deps, challengeId, context, isOwn);
}

const isNothingToWithdraw = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'confirmation-not-found' || error.code === 'already-decided');

/**
 * Withdraws what the client has open for a user, on all devices. Confirmations of other clients stay, and so do those
 * decided meanwhile. One after the other, because each writes the user's history.
 */
export async function withdrawOpen(
  deps: WithdrawDeps,
  { clientId, ...user }: User & Pick<Confirmation, 'clientId'>,
  context: RequestContext,
): Promise<void> {
  for (const challengeId of await deps.openConfirmations.list(user, context.now)) {
    try {
      await withdraw(
        deps,
        challengeId,
        context,
        (found): found is Confirmation => isOfWebsite(found) && found.clientId === clientId,
      );
    } catch (error) {
      if (!isNothingToWithdraw(error)) throw error;
    }
  }
}
