import { ConditionsFailed } from '../aws/dynamodb-client.ts';
import type { OpenConfirmations } from './open-confirmations.ts';
import type { Confirmation } from './confirmation.ts';
import { Contended } from '../kernel/conflict-error.ts';
import type { Call } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ended } from './confirmation-events.ts';
import { observeExpiry, type ExpiryDeps } from './expire-if-due.ts';
import { retryContended } from '../kernel/retry-on-conflict.ts';

export type WithdrawDeps = ExpiryDeps & { open: OpenConfirmations };

/** The write that a device's answer also makes: only one of the two meets its condition. */
async function cancel(deps: WithdrawDeps, confirmation: Confirmation, call: Call): Promise<void> {
  const reason = 'withdrawn';
  const decision = { decidedAt: call.now, reason } as const;
  try {
    await deps.ledger.commit(
      [
        deps.confirmations.move(confirmation.challengeId, 'cancel', call.now, decision),
        deps.open.close(confirmation),
      ],
      [ended(confirmation, 'cancel', reason)],
      call,
    );
  } catch (error) {
    if (error instanceof ConditionsFailed) throw new Contended('decided meanwhile', { cause: error });
    throw error;
  }
}

/**
 * Cancels a pending confirmation for the website that asked. A repeated call succeeds again.
 *
 * @throws {Refusal} `confirmation-not-found`, `already-decided`
 */
export async function withdrawConfirmation(
  deps: WithdrawDeps,
  challengeId: string,
  call: Call,
): Promise<void> {
  await retryContended(async () => {
    const found = await deps.confirmations.find(challengeId, call.now);
    if (!found) throw new Refusal('confirmation-not-found', 'There is no confirmation with this nonce.');
    const confirmation = await observeExpiry(deps, found, call);
    if (confirmation.reason === 'withdrawn') return;
    if (confirmation.status !== 'pending') {
      throw new Refusal(
        'already-decided',
        `The confirmation cannot be withdrawn: it is ${confirmation.status}.`,
      );
    }
    await cancel(deps, confirmation, call);
  });
}
